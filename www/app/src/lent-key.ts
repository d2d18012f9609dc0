/**
 * The key of another open tab of the same person, so that nobody signs in twice in one browser. It is asked for over a
 * channel that only pages of this origin hear, and stored nowhere but in the tab.
 */
const CHANNEL = "holdpoint-key";
/** An open tab answers at once; whoever has not answered by then is not there. */
const ANSWERS_MS = 250;

/** A tab without a key asks for that of a person, or one that has it answers. */
interface Message {
  principal: string;
  token?: string;
}

/** The key that another tab has of this person; null where none has. */
export function lentKey(principal: string): Promise<string | null> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<string | null>((resolve) => {
    setTimeout(() => resolve(null), ANSWERS_MS);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.principal === principal && data.token) resolve(data.token);
    };
    channel.postMessage({ principal } satisfies Message);
  }).finally(() => channel.close());
}

/** Answers other tabs for as long as this page is open. */
export function lendKey(held: () => { principal: string | null; token: string | undefined }): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const { principal, token } = held();
    if (token && !data.token && data.principal === principal)
      channel.postMessage({ principal, token } satisfies Message);
  };
}
