/**
 * The tabs of a browser share the session (contract section 17): one that has none asks, those that have one answer, and what
 * becomes of it is told to all. It goes from memory to memory; no other origin hears it, and nothing outlives the last tab.
 */
import type { Kept, Tokens } from './tokens.ts';

type Said =
  | { readonly about: 'question' }
  | { readonly about: 'session'; readonly kept: Kept }
  | { readonly about: 'end'; readonly of: string; readonly why: string };

export class OtherTabs {
  readonly #channel = new BroadcastChannel('catp.session');
  readonly #tokens: Tokens;
  /** An answer may have been under way when its session ended. */
  readonly #ended = new Set<string>();
  /** Another session than before is here. */
  onSession: () => void = () => {};
  /** The session that was here has ended elsewhere. */
  onEnd: (why: string) => void = () => {};

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
    this.#channel.onmessage = ({ data }: MessageEvent<Said>) => this.#hear(data);
  }

  ask(): void {
    this.#say({ about: 'question' });
  }

  /** There is a session here, or it lasts longer than before. */
  tell(): void {
    const { kept } = this.#tokens;
    if (kept !== undefined) this.#say({ about: 'session', kept });
  }

  /** `why` is empty where its owner ended it. */
  end(authorization: string, why: string): void {
    this.#ended.add(authorization);
    this.#say({ about: 'end', of: authorization, why });
  }

  close(): void {
    this.#channel.close();
  }

  #say(said: Said): void {
    this.#channel.postMessage(said);
  }

  #hear(said: Said): void {
    const before = this.#tokens.kept?.authorization;
    if (said.about === 'question') return this.tell();
    if (said.about === 'end') {
      this.#ended.add(said.of);
      if (said.of === before) this.onEnd(said.why);
      return;
    }
    if (this.#ended.has(said.kept.authorization)) return;
    this.#tokens.adopt(said.kept);
    if (this.#tokens.kept?.authorization !== before) this.onSession();
  }
}
