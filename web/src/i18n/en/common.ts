export default {
  title: "boardwire",
};
