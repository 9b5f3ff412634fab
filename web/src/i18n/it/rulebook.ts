import type en from "../en/rulebook";

const words: typeof en = {
  title: (game) => `Come si gioca a ${game}`,
  games: "Giochi",
  names: ["Ada", "Bruno"],
  start: "La posizione di partenza.",
  refused: "Non è permesso:",
  example: (what) => `Esempio: ${what}`,
  next: "Avanti",
  previous: "Indietro",
  search: "Cerca per nome o testo",
  group: "Gruppo",
  all: "Tutti",
  count: (shown, all) => (shown === all ? `${all}` : `${shown} di ${all}`),
  cards: { santorini: "Dèi ed eroi", eriantys: "I personaggi del gioco esperto" },
  parts: {
    santorini: [
      {
        title: "Un turno: muovi, poi costruisci",
        text: [
          "Ogni giocatore ha due lavoratori. Nel tuo turno ne scegli uno, lo muovi su una casella vicina e con lui costruisci.",
          "Vicine sono le otto caselle attorno; lavoratori e cupole bloccano. Le caselle accese sono quelle dove può andare.",
        ],
        examples: ["move"],
      },
      {
        title: "Salire",
        text: ["Un lavoratore sale al massimo di un livello per volta e può scendere di quanti vuole."],
        examples: ["climb"],
      },
      {
        title: "Costruire",
        text: ["Chi si è mosso aggiunge un blocco su una casella vicina libera, anche su quella appena lasciata."],
        examples: ["build"],
      },
      {
        title: "Cupole",
        text: ["Sopra tre blocchi il prossimo pezzo è una cupola: chiude la casella per il resto della partita."],
        examples: ["dome"],
      },
      { title: "Come si vince", text: ["Sali con un lavoratore al terzo livello: vinci subito."], examples: ["win"] },
      {
        title: "Come si perde",
        text: ["Chi non ha un turno completo, perché nessun lavoratore può muovere e poi costruire, perde."],
        examples: ["stuck"],
      },
    ],
    eriantys: [
      {
        title: "Assistenti",
        text: [
          "A ogni round ciascuno gioca un assistente. Il numero più basso comincia; il secondo numero dice quanto può camminare madre natura.",
          "Non puoi giocare ciò che un altro ha giocato in questo round, a meno che non ti resti altro.",
        ],
        examples: ["assistants"],
      },
      {
        title: "Studenti e professori",
        text: [
          "Sposta tre studenti (quattro in tre giocatori) dal tuo ingresso: su un'isola, o al loro tavolo nella tua sala.",
          "Chi ha più studenti di un colore nella sala ha il suo professore.",
        ],
        examples: ["students"],
      },
      {
        title: "Madre natura e influenza",
        text: [
          "Poi madre natura cammina in senso orario. Dove si ferma si conta: uno per ogni studente di cui hai il professore, uno per ogni tua torre.",
          "Chi ha di più mette una torre, o sostituisce quelle di un altro. Una parità non cambia nulla.",
        ],
        examples: ["nature"],
      },
      { title: "Le isole si uniscono", text: ["Isole vicine con torri dello stesso colore diventano una sola."], examples: ["unify"] },
      {
        title: "Nuvole, e la fine",
        text: [
          "Alla fine del turno prendi gli studenti di una nuvola nel tuo ingresso.",
          "Chi mette l'ultima torre vince subito. Altrimenti si finisce con tre gruppi di isole, o quando mancano studenti o assistenti: vince chi ha più torri.",
        ],
        examples: ["clouds"],
      },
    ],
    forza: [
      { title: "Lascia cadere una pedina", text: ["A turno si lascia cadere una pedina in una colonna: va nel posto libero più basso."], examples: ["drop"] },
      { title: "Una colonna piena", text: ["Una colonna tiene sei pedine. Dopo è chiusa."], examples: ["full"] },
      { title: "Quattro in orizzontale", text: ["Quattro tue pedine in fila vincono."], examples: ["across"] },
      { title: "Quattro in verticale", text: ["Anche quattro una sopra l'altra vincono."], examples: ["upright"] },
      { title: "Quattro in diagonale", text: ["E così quattro in diagonale, in salita o in discesa. Il tabellone pieno senza quattro è una patta."], examples: ["diagonal"] },
    ],
    tris: [
      { title: "Segna una casella", text: ["A turno si segna una casella libera, uno con X, l'altro con O."], examples: ["turn"] },
      { title: "Tre in fila", text: ["Tre tuoi segni in riga, colonna o diagonale vincono."], examples: ["line"] },
      { title: "Una patta", text: ["Tutte e nove le caselle sono segnate e non c'è una fila: non vince nessuno."], examples: ["full"] },
    ],
  },
};

export default words;
