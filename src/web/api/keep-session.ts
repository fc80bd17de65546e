/** Keeps the session of a person who works: its tokens are renewed before they end (contract section 2). */

/** How long somebody counts as working after the last key, click or opened page. */
const WORKING_MS = 10 * 60_000;
/** Half of the lifetime of a token. */
const RENEWED_AFTER_MS = 30 * 60_000;
const LOOK_EVERY_MS = 60_000;

export interface SessionKeeper {
  /** When the tokens came, in epoch milliseconds of the browser; `undefined` while nobody is signed in. */
  readonly since: () => number | undefined;
  readonly renew: () => Promise<unknown>;
}

/** Watches the whole page; to be called once. */
export function keepSession({ since, renew }: SessionKeeper): void {
  let [workedAt, isRenewing] = [Date.now(), false];
  const look = async (): Promise<void> => {
    const [now, begun] = [Date.now(), since()];
    if (isRenewing || begun === undefined) return;
    if (now - workedAt > WORKING_MS || now - begun < RENEWED_AFTER_MS) return;
    isRenewing = true;
    await renew();
    isRenewing = false;
  };
  const work = (): void => {
    workedAt = Date.now();
    void look();
  };
  for (const type of ['keydown', 'pointerdown', 'input', 'popstate'])
    addEventListener(type, work, { capture: true, passive: true });
  setInterval(() => void look(), LOOK_EVERY_MS);
}
