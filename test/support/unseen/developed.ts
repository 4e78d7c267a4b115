import { quantity, type Subject } from "./lesson.ts";

/* Subjects on which the search was developed. */

export const chemistry: Subject = {
  name: "chemistry",
  fillers: [
    "Please keep your goggles on.",
    "You can see the apparatus on the left.",
    "We will come back to this in the exercises.",
    "Some of you asked about this last week.",
    "Remember that the metal was weighed before.",
  ],
  topics: (whole) => [
    {
      heading: "Melting points",
      intro: "Let us compare where a few metals melt.",
      facts: [
        ["Tin", 232],
        ["Lead", 327],
        ["Zinc", 420],
        ["Copper", 1085],
      ].map(([metal, n]) => ({
        show: [`${metal}: {v}`, `${metal} {v}`, `${metal} melts at {v}`],
        say: [`${metal} melts at {v}.`, `For ${metal} it is {v}.`, `${metal} turns liquid at {v}.`],
        ask: [
          `At what temperature does ${metal} melt?`,
          `What is the melting point of ${metal}?`,
          `How hot must ${metal} be to become liquid?`,
        ],
        value: quantity((n as number) + whole(0, 9), "°C", "degrees"),
      })),
    },
    {
      heading: "Procedure",
      intro: "Here is what we do in the laboratory.",
      facts: [
        {
          show: ["Heat the flask for {v}", "Heating time: {v}"],
          say: ["The flask is heated for {v}.", "We keep heating the flask for {v}."],
          ask: [
            "For how long is the flask heated?",
            "How many minutes does the heating of the flask take?",
          ],
          value: quantity(whole(12, 55), "minutes"),
        },
        {
          show: ["Cool in ice for {v}", "Cooling time: {v}"],
          say: [
            "Afterwards the mixture cools in ice for {v}.",
            "Then we cool it in an ice bath for {v}.",
          ],
          ask: ["How long does the mixture cool in ice?", "How long is the cooling?"],
          value: quantity(whole(60, 90), "minutes"),
        },
        {
          show: ["Add {v} of water", "Water: {v}"],
          say: ["We add {v} of water.", "Pour in {v} of water."],
          ask: ["How much water is added?", "What volume of water is poured in?"],
          value: quantity(whole(2, 9) * 100, "ml", "millilitres"),
        },
        {
          show: ["Add {v} of acid", "Acid: {v}"],
          say: ["Then {v} of acid go in, drop by drop.", "Next we need {v} of acid."],
          ask: ["How much acid is used?", "What volume of acid goes in?"],
          value: quantity(whole(10, 19) * 5, "ml", "millilitres"),
        },
      ],
    },
    {
      heading: "Terms",
      facts: [
        [
          "catalyst",
          "speeds up a reaction without being used up",
          "speeds up a reaction and is not consumed",
        ],
        ["solvent", "dissolves another substance", "dissolves other substances"],
        ["indicator", "changes its colour with the acidity", "changes colour depending on acidity"],
        [
          "precipitate",
          "falls out of a solution as a solid",
          "forms as a solid that falls out of the solution",
        ],
      ].map(([term = "", means = "", asked]) => ({
        show: [`${term}: ${means}`, `A ${term} ${means}`],
        say: [`A ${term} is something that ${means}.`, `We call it a ${term} if it ${means}.`],
        ask: [`What do we call a substance that ${asked}?`, `Which of these ${asked}?`],
        value: term,
      })),
    },
    {
      heading: "Acidity",
      facts: [
        ["Lemon juice", 2],
        ["Coffee", 5],
        ["Blood", 7],
        ["Soap", 10],
      ].map(([name, n]) => ({
        show: [`${name}: pH {v}`, `${name} | {v}`, `${name} has a pH of {v}`],
        say: [`${name} has a pH of {v}.`, `The pH of ${name} is {v}.`],
        ask: [`What is the pH of ${name}?`, `Which pH does ${name} have?`],
        value: quantity((n as number) + whole(0, 1)),
      })),
    },
  ],
};

export const cooking: Subject = {
  name: "cooking",
  fillers: [
    "It already smells wonderful in here.",
    "My grandmother would do this by hand.",
    "Use the big bowl for this.",
    "Do not worry if it looks dry at first.",
    "A wooden spoon works best.",
  ],
  topics: (whole, draw) => [
    {
      heading: draw(["Ingredients", "What you need", "Shopping list"]),
      facts: [
        ["flour", whole(3, 9) * 100, "g", "grams"],
        ["butter", whole(10, 25) * 10, "g", "grams"],
        ["sugar", whole(5, 9) * 15, "g", "grams"],
        ["milk", whole(11, 19) * 10, "ml", "millilitres"],
        ["cream", whole(20, 29) * 10, "ml", "millilitres"],
      ].map(([name, n, unit, spoken]) => ({
        show: [`{v} ${name}`, `${name}: {v}`, `${name} – {v}`],
        say: [`You need {v} of ${name}.`, `Take {v} of ${name}.`, `Weigh out {v} of ${name}.`],
        ask: [
          `How much ${name} is needed?`,
          `How much ${name} goes into the dough?`,
          `What amount of ${name} does the recipe use?`,
        ],
        value: quantity(n as number, unit as string, spoken as string),
      })),
    },
    {
      heading: "In the oven",
      facts: [
        {
          show: ["Preheat to {v}", "Oven temperature: {v}"],
          say: ["Preheat the oven to {v}.", "The oven should be at {v} when the tart goes in."],
          ask: ["How hot should the oven be?", "To which temperature is the oven preheated?"],
          value: quantity(whole(17, 22) * 10, "°C", "degrees"),
        },
        {
          show: ["Reduce to {v} halfway", "Second half: {v}"],
          say: [
            "Halfway through, turn it down to {v}.",
            "In the second half, reduce the heat to {v}.",
          ],
          ask: [
            "To which temperature is the heat reduced halfway through?",
            "What is the temperature in the second half?",
          ],
          value: quantity(whole(13, 16) * 10, "°C", "degrees"),
        },
        {
          show: ["Bake for {v}", "Baking time: {v}"],
          say: ["The tart bakes for {v}.", "Bake it for {v}."],
          ask: ["How long does the tart bake?", "What is the baking time?"],
          value: quantity(whole(30, 50), "minutes"),
        },
        {
          show: ["Rest for {v} before slicing", "Resting time: {v}"],
          say: ["Let it rest for {v} before you slice it.", "Then it has to rest for {v}."],
          ask: ["How long should it rest?", "For how long does the tart rest before it is sliced?"],
          value: quantity(whole(10, 25), "minutes"),
        },
      ],
    },
    {
      heading: "Why it works",
      facts: [
        [
          "lemon",
          "it keeps the apples from turning brown",
          "Why is lemon added to the apples?",
          "It keeps the apples from turning brown",
        ],
        [
          "salt",
          "it brings out the sweetness",
          "What is the salt for?",
          "It brings out the sweetness",
        ],
        [
          "cold butter",
          "it makes the crust flaky",
          "Why does the butter have to be cold?",
          "It makes the crust flaky",
        ],
        [
          "vinegar",
          "it stops the dough from shrinking",
          "What does the vinegar do?",
          "It stops the dough from shrinking",
        ],
      ].map(([name = "", why = "", ask = "", value = ""]) => ({
        show: [`${name}: ${why}`, `${name} because ${why}`],
        say: [`We use ${name} because ${why}.`, `The reason for the ${name} is that ${why}.`],
        ask: [ask],
        value,
      })),
    },
    {
      heading: "Who likes what",
      facts: [
        ["Paula", "almonds"],
        ["Henrik", "raisins"],
        ["Mei", "coconut"],
        ["Tomas", "cinnamon"],
      ].map(([who = "", what = ""]) => ({
        show: [`${who}: ${what}`, `${who} prefers ${what}`],
        say: [`${who} puts ${what} on top.`, `${who} always adds ${what}.`],
        ask: [`What does ${who} add?`, `Which topping does ${who} use?`],
        value: what,
      })),
      others: ["walnuts", "chocolate"],
    },
  ],
};

export const geography: Subject = {
  name: "geography",
  fillers: [
    "Have a look at the map behind me.",
    "The north is at the top, as usual.",
    "I visited this region two years ago.",
    "This will be useful for your project.",
    "The climate there is quite mild.",
  ],
  topics: (whole) => [
    {
      heading: "Rivers",
      intro: "Now to the rivers of the region.",
      facts: [
        ["Orla", whole(310, 390)],
        ["Tavna", whole(410, 490)],
        ["Keld", whole(510, 590)],
        ["Ruhnow", whole(610, 690)],
      ].map(([name, n]) => ({
        show: [`${name}: {v}`, `${name} {v}`, `The ${name} is {v} long`],
        say: [
          `The ${name} is {v} long.`,
          `With {v}, here is the ${name}.`,
          `The ${name} has a length of {v}.`,
        ],
        ask: [`How long is the ${name}?`, `What is the length of the ${name}?`],
        value: quantity(n as number, "km", "kilometres"),
      })),
    },
    {
      heading: "Facts about Sorvia",
      facts: [
        {
          show: ["Population: {v}", "Inhabitants {v}"],
          say: ["Sorvia has {v}.", "In Sorvia live {v}."],
          ask: ["How many people live in Sorvia?", "What is the population of Sorvia?"],
          value: quantity(whole(12, 98) * 100_000, "", "people"),
        },
        {
          show: ["Area: {v}", "Surface {v}"],
          say: ["Its area is {v}.", "It covers an area of {v}."],
          ask: ["What is the area of Sorvia?", "How large is the area of Sorvia?"],
          value: quantity(whole(12, 88) * 1000, "km²", "square kilometres"),
        },
        {
          show: ["Highest peak: {v}", "Highest mountain {v}"],
          say: ["The highest peak rises to {v}.", "Its highest mountain is {v} high."],
          ask: [
            "How high is the highest peak of Sorvia?",
            "What is the height of the highest mountain?",
          ],
          value: quantity(whole(15, 39) * 100 + whole(1, 99), "m", "metres"),
        },
        {
          show: ["Capital: {v}"],
          say: ["The capital is {v}.", "{v} is the capital."],
          ask: ["What is the capital of Sorvia?", "Which city is the capital of Sorvia?"],
          value: "Brenov",
        },
        {
          show: ["Largest port: {v}"],
          say: ["The largest port is {v}.", "{v} has the largest port."],
          ask: ["Which city has the largest port?", "Where is the largest port?"],
          value: "Lissmar",
        },
      ],
      others: ["Harvik", "Dornach"],
    },
    {
      heading: "Products",
      facts: [
        ["north", "timber"],
        ["south", "olives"],
        ["west", "copper"],
        ["east", "wool"],
      ].map(([where = "", what = ""]) => ({
        show: [`${where}: ${what}`, `The ${where} exports ${what}`],
        say: [`The ${where} is known for its ${what}.`, `The ${where} exports mostly ${what}.`],
        ask: [`What does the ${where} export?`, `Which product comes from the ${where}?`],
        value: what,
      })),
    },
    {
      heading: "Rainfall",
      facts: [
        ["January", 61],
        ["April", 42],
        ["July", 18],
        ["October", 87],
      ].map(([month, n]) => ({
        show: [`${month} {v}`, `${month}: {v}`],
        say: [`In ${month} {v} of rain fall.`, `${month} brings {v} of rain.`],
        ask: [`How much rain falls in ${month}?`, `What is the rainfall in ${month}?`],
        value: quantity((n as number) + whole(0, 9), "mm", "millimetres"),
      })),
    },
  ],
};

export const gardening: Subject = {
  name: "gardening",
  fillers: [
    "Bring your gloves, the soil is wet.",
    "The bees will thank you.",
    "I always do this before breakfast.",
    "You can ask me about it after the tour.",
  ],
  topics: (whole) => [
    {
      heading: "Spacing",
      facts: [
        ["carrots", whole(3, 6)],
        ["beans", whole(8, 14)],
        ["cabbages", whole(40, 60)],
        ["pumpkins", whole(100, 150)],
      ].map(([name, n]) => ({
        show: [`${name}: {v} apart`, `{v} between ${name}`],
        say: [`Leave {v} between the ${name}.`, `The ${name} stand {v} apart.`],
        ask: [`How far apart are the ${name}?`, `What distance do the ${name} need?`],
        value: quantity(n as number, "cm", "centimetres"),
      })),
    },
    {
      heading: "The year",
      facts: [
        ["sow the peas", "When are the peas sown?", "in March"],
        ["prune the roses", "When do we prune the roses?", "in late February"],
        ["harvest the garlic", "In which month is the garlic harvested?", "in July"],
        ["plant the tulips", "When should tulips be planted?", "in November"],
      ].map(([what = "", ask = "", value = ""]) => ({
        show: [`{v}: ${what}`, `${what} {v}`],
        say: [`We ${what} {v}.`, `{v} it is time to ${what}.`],
        ask: [ask],
        value,
      })),
    },
    {
      heading: "Pests",
      facts: [
        ["aphids", "soapy water"],
        ["slugs", "copper tape"],
        ["mildew", "diluted milk"],
        ["ants", "ground coffee"],
      ].map(([pest = "", cure = ""]) => ({
        show: [`${pest} -> ${cure}`, `Against ${pest}: ${cure}`],
        say: [`Against ${pest} I use ${cure}.`, `${cure} helps with ${pest}.`],
        ask: [`What helps against ${pest}?`, `What is used against ${pest}?`],
        value: cure,
      })),
    },
    {
      heading: "Water",
      facts: [
        {
          show: ["Tomatoes: {v} a day"],
          say: ["The tomatoes get {v} every day.", "Every day, the tomatoes drink {v}."],
          ask: ["How much water do the tomatoes get each day?"],
          value: quantity(whole(2, 4) + 0.5, "litres"),
        },
        {
          show: ["Cucumbers: {v} a day"],
          say: ["The cucumbers want {v}."],
          ask: ["How much water do the cucumbers get?"],
          value: quantity(whole(5, 8) + 0.5, "litres"),
        },
        {
          show: ["Herbs: {v} a week"],
          say: ["Herbs are happy with {v} a week."],
          ask: ["How much water do the herbs need per week?"],
          value: quantity(whole(1, 1) + 0.25, "litres"),
        },
      ],
    },
  ],
};

export const DEVELOPED: readonly Subject[] = [chemistry, cooking, geography, gardening];
