// My outgoing challenge: the table is opened first, and its code is sent with the challenge.
import { session } from "../session";
import { challenge } from "./players";

let sending: { name: string; game: string; rated: boolean } | null = null;

/** Open a private table for a challenge to a player. */
export function openChallenge(name: string, game: string, rated: boolean): void {
  sending = { name, game, rated };
  session.open({ game, seats: 2, private: true, rated });
}

/** Send the pending challenge from its private table. */
export async function sendChallenge(match: string, code: string, game: string): Promise<void> {
  const asked = sending;
  if (asked === null || asked.game !== game) return;
  sending = null;
  await challenge(session.proof, asked.name, { match, code, game, rated: asked.rated });
}
