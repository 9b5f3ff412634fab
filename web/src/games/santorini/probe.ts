/** Worker that detects WebGL, so that the page does not wait for it. */

import { probe } from "./graphics";

postMessage(probe(new OffscreenCanvas(1, 1)));
