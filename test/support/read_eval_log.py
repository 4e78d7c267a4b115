"""Reads a log file of Inspect with the standard library only.

Usage: read_eval_log.py FILE.eval
Prints a JSON object with the names of all entries, their documents, and for each scorer the accuracy
recomputed from the scores of the samples: over all questions (a missing score counts as wrong), and over
the scored ones. The mean of a question's epochs counts once.
"""

import json
import sys
import zipfile
from collections import defaultdict


def unique(names):
    return len(names) == len(set(names))


def main(path):
    with zipfile.ZipFile(path) as log:
        broken = log.testzip()
        if broken is not None:
            raise SystemExit(f"damaged entry: {broken}")
        names = log.namelist()
        documents = {name: json.loads(log.read(name)) for name in names}
    samples = [
        document for name, document in documents.items() if name.startswith("samples/")
    ]
    for sample in samples:
        name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
        if documents.get(name) is not sample:
            raise SystemExit(f"{name} is not the entry of its sample")
    scorers = [score["name"] for score in documents["header.json"]["results"]["scores"]]
    accuracies = {}
    for scorer in scorers:
        values = defaultdict(list)
        scored = []
        for sample in samples:
            score = sample["scores"].get(scorer)
            values[sample["id"]].append(0 if score is None else score["value"])
            if score is not None and score.get("answer") is not None:
                scored.append(score["value"])
        means = [sum(epochs) / len(epochs) for epochs in values.values()]
        accuracies[scorer] = {
            "accuracy": sum(means) / len(means),
            "answered": len(scored),
        }
    print(
        json.dumps(
            {
                "names": names,
                "unique": unique(names),
                "documents": documents,
                "accuracies": accuracies,
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])
