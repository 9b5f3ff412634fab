// A challenge that I am sending: the table is opened first, and its code goes with the challenge.
import { session } from "../session";
import { challenge } from "./players";

let sending: { name: string; game: string; rated: boolean } | null = null;

/** Open a private table and challenge a player to it. */
export function dare(name: string, game: string, rated: boolean): void {
  sending = { name, game, rated };
  session.open({ game, seats: 2, private: true, rated });
}

/** At a private table: send what waits to be sent. */
export async function sendFrom(match: string, code: string, game: string): Promise<void> {
  const asked = sending;
  if (asked === null || asked.game !== game) return;
  sending = null;
  await challenge(session.proof, asked.name, { match, code, game, rated: asked.rated });
}
