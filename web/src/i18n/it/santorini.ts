import type en from "../en/santorini";

const words: typeof en = {};
export default words;
