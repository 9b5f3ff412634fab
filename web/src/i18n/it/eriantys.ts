import type en from "../en/eriantys";

const words: typeof en = {};
export default words;
