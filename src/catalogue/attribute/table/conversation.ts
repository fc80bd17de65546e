/** A Worker that is asked one question at a time and answers each. */

type Envelope<Answer> =
  { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly message: string };

/** The side that asks. */
export class Conversation<Question, Answer> {
  readonly #worker: Worker;
  #waiting:
    { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void } | undefined;
  #ended: string | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<Envelope<Answer>>) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (data.ok) waiting?.resolve(data.answer);
      else waiting?.reject(new Error(data.message));
    };
    worker.onerror = (event) => this.end(`A worker failed: ${event.message}`);
  }

  /** The answer to a question; the one before must have been answered. Throws when the Worker fails or is ended. */
  ask(question: Question, transfer: ArrayBuffer[] = []): Promise<Answer> {
    if (this.#ended !== undefined) return Promise.reject(new Error(this.#ended));
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#worker.postMessage(question, transfer);
    });
  }

  /** Ends the Worker, whatever it is at. */
  end(reason = 'The worker was ended.'): void {
    this.#ended ??= reason;
    this.#worker.terminate();
    this.#waiting?.reject(new Error(this.#ended));
    this.#waiting = undefined;
  }
}

declare const self: Worker;

/** The side that answers, inside the Worker. */
export function answering<Question, Answer>(answerTo: (question: Question) => Promise<Answer>): void {
  const post = (envelope: Envelope<Answer>): void => self.postMessage(envelope);
  self.onmessage = ({ data }: MessageEvent<Question>) => {
    answerTo(data).then(
      (answer) => post({ ok: true, answer }),
      (error: unknown) =>
        post({ ok: false, message: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  };
}
