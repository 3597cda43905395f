// Requests to the command that serves this page.

const store = "prefs-session";
let session = sessionStorage.getItem(store);

/// Exchanges the token in the address for a session. Removes the token from the address and the history.
export async function open() {
  const words = new URLSearchParams(location.hash.slice(1));
  const token = words.get("token");
  if (token) {
    history.replaceState(null, "", location.pathname);
    const answer = await post("/api/session", { token });
    if (answer.session) {
      session = answer.session;
      sessionStorage.setItem(store, session);
    } else if (!session) {
      throw new Error(answer.error);
    }
  }
  if (!session) throw new Error("No session: open the address that “prefs ui” printed.");
  return words.get("subject");
}

function headers(more = {}) {
  return session ? { Authorization: `Bearer ${session}`, ...more } : more;
}

function address(path, query = {}) {
  const words = new URLSearchParams(Object.entries(query).filter(([, value]) => value != null));
  return words.size ? `${path}?${words}` : path;
}

/// Returns the answer to a request. Throws the reason if the answer is an error.
export async function ask(path, query) {
  const response = await fetch(address(path, query), { headers: headers() });
  const answer = await response.json();
  if (answer.error) throw new Error(answer.error);
  return answer;
}

/// Sends a request that changes something. The answer may contain an error.
export async function post(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: headers({ "Content-Type": "application/json" }),
    body: JSON.stringify(body),
  });
  return response.json();
}

/// Calls `receive` with each change set of a subject until `signal` aborts. Resolves when the stream ends.
export async function follow(subject, signal, receive) {
  // This is not an EventSource, because an EventSource cannot send the session.
  const response = await fetch(address("/api/events", { subject }), { headers: headers(), signal });
  if (!response.ok) throw new Error((await response.json()).error);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (true) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      if (event.startsWith("event: end")) return;
      if (event.startsWith("data: ")) receive(JSON.parse(event.slice(6)));
    }
  }
}

/// Returns the text with escapes for characters that control a terminal, the layout or the writing direction.
export function visible(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

/// Creates an element. Its text is always plain text, never markup.
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (key === "class") made.className = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

/// Returns the text of a value without its quotes. The history describes strings with quotes.
export function plain(text) {
  if (!text?.startsWith('"')) return text;
  try { return JSON.parse(text) || '""'; } catch { return text; }
}

/// Returns JSON on one line or, if wide, with one element per line. Its tokens are kept. Returns other text
/// unchanged.
export function layOut(text, isWide) {
  try { JSON.parse(text); } catch { return text; }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g) ?? [];
  let [made, depth] = ["", 0];
  const line = () => (isWide ? `\n${"  ".repeat(depth)}` : "");
  tokens.forEach((token, index) => {
    if (/^[}\]]$/.test(token)) {
      depth -= 1;
      made += (/^[{[]$/.test(tokens[index - 1]) ? "" : line()) + token;
    } else if (/^[{[]$/.test(token)) {
      depth += 1;
      made += token + (/^[}\]]$/.test(tokens[index + 1]) ? "" : line());
    } else if (token === ",") {
      made += isWide ? `,${line()}` : ", ";
    } else {
      made += token === ":" ? ": " : token;
    }
  });
  return made;
}
