import type en from "../en/common";

const words: typeof en = {
  title: "boardwire",
};

export default words;
