import { quantity, type Subject } from "./lesson.ts";

/* Subjects that were written before the search was measured on them, and to which it was not adapted. */

const history: Subject = {
  name: "history",
  fillers: [
    "We know this from letters in the archive.",
    "The painting on the right is from a later time.",
    "Historians still argue about it.",
    "Write the dates down if you like.",
  ],
  topics: (whole) => [
    {
      heading: "Timeline",
      facts: [
        [
          "the harbour was founded",
          "In which year was the harbour founded?",
          "founding of the harbour",
          whole(1101, 1190),
        ],
        [
          "fire destroyed the old town",
          "When did fire destroy the old town?",
          "great fire",
          whole(1310, 1390),
        ],
        [
          "the university opened its doors",
          "In what year did the university open?",
          "opening of the university",
          whole(1410, 1490),
        ],
        [
          "the city walls were torn down",
          "When were the city walls torn down?",
          "city walls demolished",
          whole(1811, 1890),
        ],
      ].map(([what, ask, short, year]) => ({
        show: [`{v}: ${short}`, `{v} – ${short}`, `${short} ({v})`],
        say: [
          `In {v} ${what}.`,
          `It was in {v} that ${what}.`,
          `${String(what)[0]?.toUpperCase()}${String(what).slice(1)} in {v}.`,
        ],
        ask: [ask as string],
        value: quantity(year as number),
      })),
    },
    {
      heading: "Armies at the ford",
      intro: "Now the two armies that met at the ford.",
      facts: [
        ["horsemen", whole(12, 29) * 100],
        ["archers", whole(31, 59) * 100],
        ["foot soldiers", whole(61, 99) * 100],
        ["ships", whole(21, 95)],
      ].map(([who, n]) => ({
        show: [`{v} ${who}`, `${who}: {v}`],
        say: [`The duke brought {v} ${who}.`, `There were {v} ${who}.`],
        ask: [`How many ${who} were there?`, `How many ${who} did the duke bring?`],
        value: quantity(n as number),
      })),
    },
    {
      heading: "Who did what",
      facts: [
        ["Adela", "signed the peace treaty", "Who signed the treaty?"],
        ["Konrad", "commanded the fleet", "Who commanded the fleet?"],
        ["Bertrand", "paid for the new bridge", "Who paid for the bridge?"],
        ["Ysolde", "wrote the town chronicle", "Who wrote the chronicle?"],
      ].map(([who = "", what = "", ask = ""]) => ({
        show: [`${who} ${what}`, `${who}: ${what}`],
        say: [`${who} ${what}.`, `It was ${who} who ${what}.`],
        ask: [ask],
        value: who,
      })),
      others: ["Oswin", "Melinda"],
    },
    {
      heading: "Causes",
      facts: [
        ["The guild rebelled", "the salt tax had been doubled", "Why did the guild rebel?"],
        ["The market moved", "the river changed its course", "Why was the market moved?"],
        ["The mint closed", "the silver mine was exhausted", "Why did the mint close?"],
        ["The monks left", "plague had reached the valley", "Why did the monks leave?"],
      ].map(([what = "", why = "", ask = ""]) => ({
        show: [`${what}: ${why}`, `${what} because ${why}`],
        say: [`${what} because ${why}.`, `${what}, since ${why}.`],
        ask: [ask],
        value: `${why[0]?.toUpperCase()}${why.slice(1)}`,
      })),
    },
  ],
};

const programming: Subject = {
  name: "programming",
  fillers: [
    "I will zoom in a little so that you can read it.",
    "Ignore the warning at the bottom for now.",
    "The repository is linked below.",
    "Let me save this and run it.",
  ],
  topics: (whole) => [
    {
      heading: "server.toml",
      facts: [
        ["port", whole(80, 89) * 100 + 1, ""],
        ["workers", whole(3, 16), ""],
        ["timeout", whole(20, 90), "seconds"],
        ["max_body", whole(2, 64), "MB"],
        ["retries", whole(17, 19), ""],
      ].map(([name, n, unit]) => ({
        show: [`${name} = {v}`, `${name}: {v}`],
        say: [`We set ${name} to {v}.`, `The ${name} setting is {v}.`],
        ask: [`What is ${name} set to?`, `Which value has the setting ${name}?`],
        value: quantity(
          n as number,
          unit as string,
          unit === "MB" ? "megabytes" : (unit as string),
        ),
      })),
    },
    {
      heading: "Benchmarks",
      intro: "I measured four ways to sort the list.",
      facts: [
        ["quicksort", whole(110, 190)],
        ["mergesort", whole(210, 290)],
        ["heapsort", whole(310, 390)],
        ["bubble sort", whole(4100, 4900)],
      ].map(([name, n]) => ({
        show: [`${name} {v}`, `${name} took {v}`],
        say: [`${name} needs {v}.`, `With ${name} it took {v}.`],
        ask: [`How long does ${name} take?`, `How many milliseconds did ${name} need?`],
        value: quantity(n as number, "ms", "milliseconds"),
      })),
    },
    {
      heading: "Commands",
      facts: [
        ["stash", "puts your changes aside for later", "puts changes aside"],
        [
          "rebase",
          "replays your commits on another branch",
          "replays commits on top of another branch",
        ],
        [
          "bisect",
          "finds the commit that broke the build",
          "finds the commit which introduced a bug",
        ],
        ["blame", "lists the author of each line", "lists who wrote each line"],
      ].map(([name = "", does = "", ask = ""]) => ({
        show: [`${name} - ${does}`, `${name}: ${does}`],
        say: [`The command ${name} ${does}.`, `Use ${name}, which ${does}.`],
        ask: [`Which command ${ask}?`],
        value: name,
      })),
    },
    {
      heading: "Release notes",
      facts: [
        [
          "The parser",
          "was rewritten in Rust",
          "In which language was the parser rewritten?",
          "Rust",
        ],
        [
          "The web client",
          "now uses TypeScript",
          "Which language does the web client use?",
          "TypeScript",
        ],
        ["The scripts", "are still in Perl", "In which language are the scripts?", "Perl"],
        ["The plugins", "moved to Lua", "To which language did the plugins move?", "Lua"],
      ].map(([what = "", does = "", ask = "", value = ""]) => ({
        show: [`${what} ${does}`],
        say: [`${what} ${does}.`],
        ask: [ask],
        value,
      })),
    },
  ],
};

const finance: Subject = {
  name: "finance",
  fillers: [
    "This is not investment advice.",
    "All figures are from the annual report.",
    "Let me move on to the next page.",
    "Thank you for joining the call today.",
  ],
  topics: (whole) => [
    {
      heading: "Results of the year",
      facts: [
        ["Revenue", "revenue", whole(41, 79)],
        ["Operating costs", "operating costs", whole(21, 39)],
        ["Net profit", "net profit", whole(4, 9)],
        ["Investment", "investment", whole(11, 19)],
      ].map(([name, spoken, n]) => ({
        show: [`${name}: {v}`, `${name} {v}`],
        say: [
          `Our ${spoken} came to {v}.`,
          `We report {v} of ${spoken}.`,
          `The ${spoken} reached {v}.`,
        ],
        ask: [`How high was the ${spoken}?`, `What was the ${spoken} of the year?`],
        value: quantity((n as number) * 1e6 + 5e5, "€", "euros"),
      })),
    },
    {
      heading: "Interest rates",
      facts: [
        ["Savings account", whole(1, 2) + 0.5],
        ["Mortgage", whole(3, 4) + 0.25],
        ["Car loan", whole(6, 7) + 0.5],
        ["Credit card", whole(15, 19)],
      ].map(([name, n]) => ({
        show: [`${name}: {v}`, `${name} at {v}`],
        say: [
          `A ${String(name).toLowerCase()} is at {v}.`,
          `For a ${String(name).toLowerCase()} you have {v}.`,
        ],
        ask: [
          `What is the interest rate of the ${String(name).toLowerCase()}?`,
          `How much interest is there on a ${String(name).toLowerCase()}?`,
        ],
        value: quantity(n as number, "%", "percent"),
      })),
    },
    {
      heading: "Offices",
      facts: [
        ["Lisbon", whole(110, 190)],
        ["Toronto", whole(210, 290)],
        ["Osaka", whole(310, 390)],
        ["Nairobi", whole(41, 99)],
      ].map(([city, n]) => ({
        show: [`${city}: {v} employees`, `${city} ({v} people)`, `{v} staff in ${city}`],
        say: [`{v} people work in ${city}.`, `The ${city} office employs {v} people.`],
        ask: [
          `How many people work in ${city}?`,
          `How many employees does the ${city} office have?`,
        ],
        value: quantity(n as number),
      })),
    },
    {
      heading: "Responsibilities",
      facts: [
        ["Ms Okafor", "leads the audit", "Who leads the audit?"],
        ["Mr Lindqvist", "runs the treasury", "Who is running the treasury?"],
        ["Dr Petrov", "handles the taxes", "Who handles taxes?"],
        ["Mrs Aydin", "plans the budget", "Who plans the budget?"],
      ].map(([who = "", what = "", ask = ""]) => ({
        show: [`${who} ${what}`, `${what}: ${who}`],
        say: [`${who} ${what}.`],
        ask: [ask],
        value: who,
      })),
    },
  ],
};

const astronomy: Subject = {
  name: "astronomy",
  fillers: [
    "The picture was taken by a probe.",
    "You need a dark sky to see it.",
    "The colours are not real, by the way.",
    "Bring a warm jacket to the observatory.",
  ],
  topics: (whole) => [
    {
      heading: "Moons of Theron",
      facts: [
        ["Callis", whole(2, 4), "days"],
        ["Ombra", whole(7, 11), "days"],
        ["Pell", whole(16, 25), "days"],
        ["Gant", whole(40, 70), "days"],
      ].map(([name, n, unit]) => ({
        show: [`${name}: {v}`, `${name} orbits in {v}`],
        say: [`${name} orbits Theron in {v}.`, `One orbit of ${name} lasts {v}.`],
        ask: [
          `How long does ${name} need for one orbit?`,
          `In how many days does ${name} orbit Theron?`,
        ],
        value: quantity(n as number, unit as string),
      })),
    },
    {
      heading: "The telescope",
      facts: [
        {
          show: ["Mirror diameter: {v}", "Mirror: {v} across"],
          say: ["Its mirror measures {v} across.", "The mirror has a diameter of {v}."],
          ask: ["What is the diameter of the mirror?", "How wide is the mirror?"],
          value: quantity(whole(3, 8) + 0.5, "m", "metres"),
        },
        {
          show: ["Altitude of the site: {v}", "Site at {v}"],
          say: ["The site lies at an altitude of {v}.", "It stands at an altitude of {v}."],
          ask: ["At what altitude is the site?", "How high does the telescope lie?"],
          value: quantity(whole(21, 49) * 100, "m", "metres"),
        },
        {
          show: ["Weight of the dome: {v}", "Dome weight {v}"],
          say: ["The dome weighs {v}.", "The weight of the dome is {v}."],
          ask: ["How heavy is the dome?", "What does the dome weigh?"],
          value: quantity(whole(210, 480), "t", "tonnes"),
        },
        {
          show: ["Clear nights per year: {v}", "{v} clear nights a year"],
          say: ["There are {v} clear nights in a year.", "We count {v} clear nights a year."],
          ask: ["How many clear nights are there in a year?", "How many nights are clear?"],
          value: quantity(whole(2, 3) * 100),
        },
      ],
    },
    {
      heading: "Glossary",
      facts: [
        [
          "albedo",
          "the share of light that a surface reflects",
          "how much light a surface reflects",
        ],
        [
          "perihelion",
          "the point of an orbit closest to the sun",
          "where an orbit is closest to the sun",
        ],
        [
          "corona",
          "the outermost layer of the sun's atmosphere",
          "the outermost layer of the atmosphere of the sun",
        ],
        [
          "parallax",
          "the apparent shift of a star against the background",
          "a star's apparent shift against the background",
        ],
      ].map(([term = "", means = "", ask = ""]) => ({
        show: [`${term}: ${means}`, `${term} = ${means}`],
        say: [`The ${term} is ${means}.`, `By ${term} we mean ${means}.`],
        ask: [`Which term describes ${ask}?`, `What is ${ask} called?`],
        value: term,
      })),
    },
    {
      heading: "Observing plan",
      facts: [
        ["Monday", "double stars"],
        ["Wednesday", "nebulae"],
        ["Thursday", "the moon's craters"],
        ["Saturday", "meteors"],
      ].map(([day = "", what = ""]) => ({
        show: [`${day}: ${what}`, `${day} – ${what}`],
        say: [`On ${day} we observe ${what}.`, `${day} is for ${what}.`],
        ask: [`What is observed on ${day}?`, `What do we look at on ${day}?`],
        value: what,
      })),
    },
  ],
};

export const HELD_OUT: readonly Subject[] = [history, programming, finance, astronomy];
