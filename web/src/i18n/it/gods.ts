// Che cosa fa ogni potere, con parole nostre.  Il catalogo inglese dà la forma.
import type gods from "../en/gods";

const words: typeof gods = {
  apollo: {
    name: "Apollo",
    text: "Il tuo lavoratore può andare sulla casella di un avversario vicino; i due si scambiano di posto.",
    printed: "",
  },
  artemis: {
    name: "Artemide",
    text: "Il tuo lavoratore può muovere due volte, ma senza tornare sulla casella da cui è partito.",
    printed: "",
  },
  athena: {
    name: "Atena",
    text: "Quando un tuo lavoratore sale, nessun avversario può salire fino al tuo prossimo turno.",
    printed: "",
  },
  atlas: {
    name: "Atlante",
    text: "Puoi mettere una cupola su qualsiasi livello al posto di un blocco.",
    printed: "",
  },
  demeter: {
    name: "Demetra",
    text: "Il tuo lavoratore può costruire due volte, su due caselle diverse.",
    printed: "",
  },
  hephaestus: {
    name: "Efesto",
    text: "Il tuo lavoratore può mettere un secondo blocco, mai una cupola, su quello appena costruito.",
    printed: "",
  },
  hermes: {
    name: "Ermes",
    text: "Al posto di un turno normale i tuoi lavoratori possono camminare quanto vogliono sul loro livello, o anche restare fermi; poi uno di loro costruisce.",
    printed: "",
  },
  minotaur: {
    name: "Minotauro",
    text: "Il tuo lavoratore può andare sulla casella di un avversario vicino e spingerlo dritto avanti, se la casella dietro è libera.",
    printed: "",
  },
  pan: {
    name: "Pan",
    text: "Vinci anche quando un tuo lavoratore scende di due livelli o più.",
    printed: "",
  },
  prometheus: {
    name: "Prometeo",
    text: "Il tuo lavoratore può costruire anche prima di muovere, se in questo turno non sale.",
    printed: "",
  },
  aphrodite: {
    name: "Afrodite",
    text: "Un avversario che inizia il turno accanto a un tuo lavoratore deve finire l'ultimo movimento accanto a uno dei tuoi, altrimenti chi lo guida perde.",
    printed: "",
  },
  ares: {
    name: "Ares",
    text: "Alla fine del turno puoi togliere un blocco in cima, se è libero, accanto al tuo lavoratore che non si è mosso.",
    printed: "",
  },
  bia: {
    name: "Bia",
    text: "Schieri per prima, sul bordo. Quando il tuo lavoratore muove e la casella seguente su quella linea ha un avversario, questo viene rimosso.",
    printed: "Schieri per prima, dove vuoi.",
  },
  chaos: {
    name: "Caos",
    text: "Hai il potere di un dio semplice estratto a sorte; dopo un turno in cui è stata costruita una cupola se ne estrae un altro.",
    printed: "",
  },
  charon: {
    name: "Caronte",
    text: "Prima di muovere, il tuo lavoratore può lanciare un avversario vicino oltre sé, sulla casella libera dal lato opposto.",
    printed: "",
  },
  chronus: {
    name: "Crono",
    text: "Vinci anche appena ci sono cinque torri complete, chiunque le abbia finite.",
    printed: "",
  },
  circe: {
    name: "Circe",
    text: "Se all'inizio del tuo turno i lavoratori avversari non si toccano tutti fra loro, il loro potere è solo tuo fino al tuo prossimo turno.",
    printed: "",
  },
  dionysus: {
    name: "Dioniso",
    text: "Ogni volta che completi una torre puoi fare un altro turno con un lavoratore avversario; in quel turno nessuno può vincere.",
    printed: "",
  },
  eros: {
    name: "Eros",
    text: "I tuoi lavoratori partono da bordi opposti. Vinci anche quando uno muove accanto all'altro ed entrambi stanno al primo livello (in tre: su uno stesso livello qualsiasi).",
    printed: "",
  },
  hera: {
    name: "Era",
    text: "Nessun avversario vince muovendo sul bordo.",
    printed: "",
  },
  hestia: {
    name: "Estia",
    text: "Il tuo lavoratore può costruire una seconda volta, ma non sul bordo.",
    printed: "",
  },
  hypnus: {
    name: "Ipno",
    text: "Se all'inizio del turno di un avversario un suo lavoratore sta più in alto di tutti gli altri suoi, in quel turno non può muoversi.",
    printed: "",
  },
  limus: {
    name: "Limos",
    text: "Accanto ai tuoi lavoratori gli avversari possono costruire soltanto cupole.",
    printed: "Accanto ai tuoi lavoratori gli avversari possono costruire soltanto la cupola che completa una torre.",
  },
  medusa: {
    name: "Medusa",
    text: "Alla fine del tuo turno ogni avversario che sta più in basso accanto a un tuo lavoratore diventa un blocco.",
    printed: "",
  },
  morpheus: {
    name: "Morfeo",
    text: "All'inizio di ogni turno ricevi una moneta; costruisci tante volte quante ne paghi, anche nessuna.",
    printed: "",
  },
  persephone: {
    name: "Persefone",
    text: "Gli avversari devono salire con un loro lavoratore in ogni turno in cui possono.",
    printed: "",
  },
  poseidon: {
    name: "Poseidone",
    text: "Alla fine del turno, se l'altro tuo lavoratore sta a terra, può costruire fino a tre volte.",
    printed: "",
  },
  selene: {
    name: "Selene",
    text: "Al posto della costruzione normale la tua lavoratrice può mettere una cupola su qualsiasi livello, chiunque si sia mosso.",
    printed: "",
  },
  triton: {
    name: "Tritone",
    text: "Ogni volta che il tuo lavoratore muove sul bordo può muovere ancora.",
    printed: "",
  },
  zeus: {
    name: "Zeus",
    text: "Il tuo lavoratore può costruire un blocco sotto di sé; salire così non fa mai vincere.",
    printed: "",
  },
  aeolus: {
    name: "Eolo",
    text: "Alla fine del turno puoi far soffiare il vento in una di otto direzioni, o fermarlo; nessuno può muovere dritto controvento.",
    printed: "Scegli il vento all'inizio e a ogni turno puoi girarlo.",
  },
  charybdis: {
    name: "Cariddi",
    text: "Alla fine del turno puoi mettere uno di due gorghi su una casella libera. Chi muove su un gorgo è trascinato all'altro, se è libero, e lì vince come se ci fosse salito.",
    printed: "Il passaggio nei gorghi è un secondo movimento nella stessa direzione.",
  },
  clio: {
    name: "Clio",
    text: "I primi tre blocchi che costruisci ricevono una moneta; per gli avversari quelle caselle sono cupole.",
    printed: "",
  },
  europa: {
    name: "Europa e Talo",
    text: "Alla fine del turno puoi mettere Talo su una casella libera accanto al lavoratore che si è mosso; per tutti vale come una cupola.",
    printed: "",
  },
  gaea: {
    name: "Gea",
    text: "Hai due lavoratori di riserva; quando qualcuno costruisce una cupola puoi subito metterne uno a terra lì accanto.",
    printed: "",
  },
  graeae: {
    name: "Graie",
    text: "Hai tre lavoratori, e deve costruire uno che non si è mosso.",
    printed: "Scegli liberamente quale lavoratore costruisce.",
  },
  hades: {
    name: "Ade",
    text: "Gli avversari non possono muovere verso il basso.",
    printed: "",
  },
  harpies: {
    name: "Arpie",
    text: "Dopo ogni movimento un avversario è spinto avanti nella stessa direzione, finché lo ferma un livello più alto, una pedina o il bordo.",
    printed: "",
  },
  hecate: {
    name: "Ecate",
    text: "Schieri per ultima e in segreto. Ciò che un avversario tenta e che un lavoratore nascosto rende impossibile è annullato, con il resto di quel turno.",
    printed: "I poteri avversari che toccherebbero un lavoratore nascosto sono applicati per conto loro.",
  },
  moerae: {
    name: "Moire",
    text: "Hai tre lavoratori e un quadrato segreto di quattro caselle; quando un avversario vincerebbe lì dentro, vinci tu.",
    printed: "",
  },
  nemesis: {
    name: "Nemesi",
    text: "Alla fine del turno, se nessun lavoratore di un avversario è accanto ai tuoi, puoi scambiarli entrambi con due dei suoi.",
    printed: "Ne scambi quanti puoi.",
  },
  siren: {
    name: "Sirena",
    text: "La tua direzione è fissata all'inizio. Al posto di un turno normale puoi attirare gli avversari di una casella da quella parte, poi costruire con un tuo lavoratore qualsiasi.",
    printed: "Dopo il richiamo non si costruisce.",
  },
  tartarus: {
    name: "Tartaro",
    text: "Schieri per primo, poi nascondi un abisso su una casella libera. Chi ci entra con un lavoratore perde.",
    printed: "",
  },
  terpsichore: {
    name: "Tersicore",
    text: "Tutti i tuoi lavoratori devono muovere, poi tutti devono costruire.",
    printed: "",
  },
  urania: {
    name: "Urania",
    text: "Nel tuo turno i bordi e gli angoli opposti si toccano, per muovere e per costruire.",
    printed: "",
  },
  achilles: {
    name: "Achille",
    text: "Una volta: il tuo lavoratore costruisce prima e dopo aver mosso.",
    printed: "",
  },
  adonis: {
    name: "Adone",
    text: "Una volta, alla fine del turno: scegli un tuo lavoratore e uno avversario; se possono, devono essere vicini quando finisce il prossimo turno avversario.",
    printed: "Il lavoratore avversario deve finire accanto a uno qualsiasi dei tuoi.",
  },
  atalanta: {
    name: "Atalanta",
    text: "Una volta: il tuo lavoratore muove ancora, quante volte vuoi.",
    printed: "",
  },
  bellerophon: {
    name: "Bellerofonte",
    text: "Una volta: il tuo lavoratore sale di due livelli.",
    printed: "",
  },
  heracles: {
    name: "Eracle",
    text: "Una volta, al posto di costruire: tutti e due i tuoi lavoratori mettono quante cupole vuoi, su qualsiasi livello.",
    printed: "Le cupole si aggiungono alla costruzione normale, alla fine del turno.",
  },
  jason: {
    name: "Giasone",
    text: "Una volta, al posto del turno: un lavoratore di riserva entra su una casella libera del bordo, a terra, poi muove e costruisce.",
    printed: "Il nuovo lavoratore costruisce ma non muove.",
  },
  medea: {
    name: "Medea",
    text: "Una volta, alla fine del turno: togli tutti i blocchi da sotto un lavoratore accanto a uno dei tuoi.",
    printed: "Togli un blocco da sotto quanti lavoratori vuoi accanto al tuo che non si è mosso.",
  },
  odysseus: {
    name: "Odisseo",
    text: "Una volta, all'inizio del turno: manda gli avversari accanto ai tuoi lavoratori negli angoli liberi.",
    printed: "",
  },
  polyphemus: {
    name: "Polifemo",
    text: "Una volta, alla fine del turno: metti fino a due cupole su caselle libere qualsiasi.",
    printed: "",
  },
  theseus: {
    name: "Teseo",
    text: "Una volta, alla fine del turno: rimuovi un avversario che sta esattamente due livelli sopra il tuo lavoratore vicino.",
    printed: "",
  },
  tyche: {
    name: "Tiche",
    text: "Alla fine del turno peschi una di sei carte; quella fortunata ti dà un altro turno e un mazzo nuovo.",
    printed: "",
  },
  scylla: {
    name: "Scilla",
    text: "Quando il tuo lavoratore lascia una casella accanto a un avversario, può trascinarcelo dentro.",
    printed: "",
  },
  castor: {
    name: "Castore e Polluce",
    text: "Al posto di un turno normale puoi muovere con tutti i lavoratori e non costruire, o costruire con tutti e non muovere.",
    printed: "",
  },
  proteus: {
    name: "Proteo",
    text: "Hai tre lavoratori; dopo che uno muove, un altro deve, se può, essere messo sulla casella lasciata.",
    printed: "",
  },
  eris: {
    name: "Eris",
    text: "Al posto di un turno normale puoi muovere e costruire con un lavoratore avversario, ma non con l'ultimo mosso dal suo giocatore.",
    printed: "",
  },
  maenads: {
    name: "Menadi",
    text: "Quando, alla fine del tuo turno, un avversario sta esattamente fra due dei tuoi lavoratori, chi lo guida perde.",
    printed: "",
  },
  asteria: {
    name: "Asteria",
    text: "Se in questo turno un tuo lavoratore è sceso, puoi anche mettere una cupola su una casella libera qualsiasi.",
    printed: "",
  },
  hippolyta: {
    name: "Ippolita",
    text: "Ogni lavoratore, tranne la tua lavoratrice, muove soltanto in diagonale.",
    printed: "",
  },
  hydra: {
    name: "Idra",
    text: "Alla fine del turno, se nessuno dei tuoi lavoratori si tocca, ne cresce un altro su una delle caselle libere più basse accanto a quello che si è mosso; altrimenti ne togli uno.",
    printed: "",
  },
  iris: {
    name: "Iride",
    text: "Il tuo lavoratore può saltare un lavoratore vicino e arrivare sulla casella libera dietro, a qualsiasi livello.",
    printed: "",
  },
  nyx: {
    name: "Nyx",
    text: "Mentre alla fine di un turno il numero di torri complete è dispari, hai il potere notturno scelto prima e l'avversario non ne ha.",
    printed: "",
  },
  pegasus: {
    name: "Pegaso",
    text: "Il tuo lavoratore può salire di più di un livello, ma non per vincere.",
    printed: "",
  },
};
export default words;
