// Sounds of moves, synthesised from oscillators and noise without any files. They are off by default.
export type Sound = "knock" | "stone" | "drop" | "win" | "lose";

let audio: AudioContext | null = null;

/** A tone that dies away; `to` is the pitch that it glides to. */
function tone(at: number, pitch: number, to: number, seconds: number, loud: number, shape: OscillatorType = "sine"): void {
  const note = audio!.createOscillator();
  const volume = audio!.createGain();
  note.type = shape;
  note.frequency.setValueAtTime(pitch, at);
  note.frequency.exponentialRampToValueAtTime(to, at + seconds);
  volume.gain.setValueAtTime(loud, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  note.connect(volume).connect(audio!.destination);
  note.start(at);
  note.stop(at + seconds);
}

/** A short rush of noise below a pitch. */
function rush(at: number, pitch: number, seconds: number, loud: number): void {
  const buffer = audio!.createBuffer(1, Math.ceil(audio!.sampleRate * seconds), audio!.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place++) samples[place] = (Math.random() * 2 - 1) * (1 - place / samples.length) ** 2;
  const source = audio!.createBufferSource();
  const filter = audio!.createBiquadFilter();
  const volume = audio!.createGain();
  source.buffer = buffer;
  filter.frequency.value = pitch;
  volume.gain.value = loud;
  source.connect(filter).connect(volume).connect(audio!.destination);
  source.start(at);
}

const SOUNDS: Readonly<Record<Sound, (at: number) => void>> = {
  knock: (at) => {
    tone(at, 420, 180, 0.09, 0.22, "triangle");
    rush(at, 2400, 0.03, 0.2);
  },
  stone: (at) => {
    tone(at, 130, 60, 0.2, 0.3);
    rush(at, 700, 0.14, 0.35);
  },
  drop: (at) => {
    tone(at, 900, 300, 0.16, 0.08);
    tone(at + 0.17, 300, 150, 0.1, 0.22, "triangle");
    rush(at + 0.17, 1800, 0.04, 0.25);
  },
  win: (at) => [523, 659, 784, 1047].forEach((pitch, place) => tone(at + place * 0.11, pitch, pitch, 0.35, 0.12, "triangle")),
  lose: (at) => [392, 330, 262].forEach((pitch, place) => tone(at + place * 0.16, pitch, pitch * 0.97, 0.35, 0.1, "triangle")),
};

/** Play a sound, where the browser permits it. */
export function play(sound: Sound): void {
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") void audio.resume();
    SOUNDS[sound](audio.currentTime + 0.01);
  } catch {
    // no sound here
  }
}
