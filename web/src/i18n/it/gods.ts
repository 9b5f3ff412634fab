import type en from "../en/gods";

const words: typeof en = {};
export default words;
