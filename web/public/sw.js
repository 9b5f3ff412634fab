// The service worker.  Each part is a file that adds its own listeners; a new part (push messages, for example) is one
// more name in this list.
importScripts("sw/shell.js", "sw/push.js");
