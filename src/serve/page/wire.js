// The WebSocket to the server: messages are JSON objects, one each way at a time; see protocol-docs/web.md.

/** Calls `hear(message)` for what comes, `lost()` when the connection ends and `found()` when there is one (again). */
export function connect({ hear, found, lost }) {
  let socket = null;
  let wait = 250;
  let waiting = [];

  function open() {
    socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/socket`);
    socket.addEventListener("open", () => {
      wait = 250;
      found();
      for (const text of waiting) socket.send(text);
      waiting = [];
    });
    socket.addEventListener("message", (event) => hear(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      lost();
      setTimeout(open, wait);
      wait = Math.min(wait * 2, 5000);
    });
  }

  open();
  return (message) => {
    const text = JSON.stringify(message);
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
    else if (message.do !== "play") waiting.push(text);
  };
}
