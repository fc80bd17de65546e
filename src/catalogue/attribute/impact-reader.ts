/** Impacts as streams of text that a Worker works out. */
import { Conversation } from './conversation.ts';
import type { ImpactForm, ImpactRequest } from './impact.ts';
import type { AskImpact, ImpactAnswer } from './impact-messages.ts';

export class ImpactReader {
  readonly #database: string;
  readonly #running = new Set<Conversation<AskImpact, ImpactAnswer>>();

  /** `database`: its file. */
  constructor(database: string) {
    this.#database = database;
  }

  /** The bytes of an impact; the Worker goes no further than they are read, and ends with their reader. */
  async *read(request: ImpactRequest, form: ImpactForm): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const worker = new Worker(new URL('./impact.worker.ts', import.meta.url).href);
    const conversation = new Conversation<AskImpact, ImpactAnswer>(worker);
    this.#running.add(conversation);
    try {
      let chunk = await conversation.ask({ type: 'start', database: this.#database, request, form });
      while (chunk !== undefined) {
        yield chunk;
        chunk = await conversation.ask({ type: 'next' });
      }
    } finally {
      this.#running.delete(conversation);
      conversation.end();
    }
  }

  close(): void {
    for (const conversation of this.#running) conversation.end();
  }
}
