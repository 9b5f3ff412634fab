import type english from "../en/privacy";

const words: typeof english = {
  title: "Riservatezza",
  intro: "Qui si gioca senza registrarsi e senza indirizzo e-mail. Ecco che cosa il server conserva di te.",
  stored: [
    ["Partite", "Il tuo nome, le mosse, i messaggi e i tempi di ogni partita, anche dopo la fine, per poterla rivedere. Le partite dei tavoli pubblici si possono leggere.", "finché il gestore di questo server le tiene"],
    ["Un token", "Un numero casuale in questo browser con cui il server ti riconosce; il server ne conserva solo l'impronta, con le tue partite.", "finché cancelli i dati di questo sito nel browser"],
    ["Un account, se prendi un nome", "Il nome, le chiavi pubbliche delle tue passkey o l'impronta del codice di recupero, i tuoi dispositivi, i tuoi punteggi, e chi segui o blocchi.", "finché cancelli l'account"],
    ["Un indirizzo e-mail, se ne dai uno", "Per avvisarti che tocca a te; nessun altro lo vede.", "finché lo rimuovi o cancelli l'account; uno non confermato, un'ora"],
    ["Notifiche push, se le attivi", "L'indirizzo del servizio di notifiche del tuo browser e la sua chiave pubblica.", "finché le disattivi, cancelli l'account, o il browser le termina"],
    ["Tornei", "Che hai partecipato, con quale nome, e i tuoi risultati; tutti possono leggerli.", "finché il gestore li tiene"],
    ["Segnalazioni", "Quello che segnali ai moderatori, con il tuo indirizzo.", "180 giorni dopo la risposta"],
    ["Provvedimenti dei moderatori", "Esclusioni e silenzi di un giocatore o di un indirizzo, con il motivo.", "finché il gestore tiene i registri"],
    ["Il tuo indirizzo", "In memoria mentre sei collegato, contro gli abusi. Nel log solo se qualcosa va storto.", "finché il gestore tiene il log"],
  ],
  kept: "Conservato",
  noCookies: "Non ci sono cookie né pubblicità, e niente viene caricato da altri siti.",
  exportTitle: "I tuoi dati",
  exportHelp: "Tutto quello che è conservato con il tuo token o account, in un file JSON.",
  download: "Scarica i miei dati",
  downloading: "Raccolgo …",
  deleteTitle: "Cancellazione",
  deleteAccount: "Cancellando un account il suo nome torna libero. Le partite finite restano, con un altro nome.",
  toAccount: "Al mio account",
  deleteGuest: "Senza account, cancella i dati di questo sito nel browser: poi niente ti collega alle tue partite.",

  reportTitle: "Segnala ai moderatori",
  who: "Chi",
  wholeMatch: "tutta la partita",
  what: "Che cosa è successo",
  kinds: { abuse: "Insulti", cheating: "Imbroglio", stalling: "Perdita di tempo", other: "Altro" },
  words: "Con parole tue (facoltativo)",
  send: "Invia la segnalazione",
  thanks: "Grazie. I moderatori hanno la tua segnalazione.",
};
export default words;
