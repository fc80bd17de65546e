/**
 * Executes the steps of a run that sends, one at a time: no step is sent twice and none is lost (contract
 * section 18). Each transition of a step is one transaction. The intent is on disk before a request leaves.
 */
import { type Clock, SECOND_MS } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { Writer } from '../../db/writer.ts';
import { isObject } from '../../validation/json-value.ts';
import { linkOfKey, keyOfLink } from '../compare/link.ts';
import type { PairedKind, Side } from '../compare/model.ts';
import type { Wire, WireAnswer } from '../wire/model.ts';
import { keyOfCode } from '../forms.ts';
import { isSameContent } from './tolerant-comparison.ts';
import type { Run, Step, StepCandidate } from './model.ts';
import { CHANGED_LOCALLY, currentRecord } from './plan.ts';
import { currentContent, countryOf } from './content.ts';
import { type DownloadLinks, SharedLinks } from './links-there.ts';
import { RemoteLookup } from './remote-lookup.ts';
import type { PairStore } from '../compare/pair-store.ts';
import type { RemoteStore } from '../store.ts';
import type { StepStore } from './step-store.ts';
import {
  COMPARABLES,
  Interrupted,
  LookupRefused,
  identicalProductOf,
  parseRefusal,
  requestOf,
} from './wire-words.ts';

export interface SenderDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly remotes: RemoteStore;
  readonly pairs: PairStore;
  readonly downloadLinks: DownloadLinks;
  readonly writer: Writer;
  readonly steps: StepStore;
}

/** Time from an unreadable answer to the first lookup, and from the first to the second. */
export const LOOKUP_AFTER_MS = 30 * SECOND_MS;
const LOOKUPS_MAX = 2;
const ATTEMPTS_MAX = 5;

type Patch = Partial<Step>;

const CHANGED_REMOTELY = 'mudou lá depois da comparação; compare de novo';
const STEP_END = { due: null, candidates: [] } as const;

export class Sender {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #pairs: PairStore;
  readonly #writer: Writer;
  readonly #steps: StepStore;
  readonly #remoteLookup: RemoteLookup;

  readonly links: SharedLinks;

  constructor({ db, clock, remotes, pairs, downloadLinks, writer, steps }: SenderDependencies) {
    this.links = new SharedLinks(clock, downloadLinks);
    this.#db = db;
    this.#clock = clock;
    this.#pairs = pairs;
    this.#writer = writer;
    this.#steps = steps;
    this.#remoteLookup = new RemoteLookup(db, clock, remotes, pairs);
  }

  /** Sends a pending step. Throws `Interrupted`. */
  async send(run: Run, wire: Wire, step: Step): Promise<void> {
    try {
      await this.#send(run, wire, step);
    } catch (error) {
      // Lookups run before the request leaves. After it, only `lookUp` decides.
      if (!(error instanceof LookupRefused)) throw error;
      await this.#put(run, { ...step, ...STEP_END, outcome: 'refused', ...error.refusal }, true);
    }
  }

  async #send(run: Run, wire: Wire, step: Step): Promise<void> {
    const { kind } = step;
    if (!this.#isAsPlanned(run, step)) return this.#skip(run, step, CHANGED_LOCALLY);
    if (kind === 'vinculo') {
      const remoteKey = this.#remoteLinkKey(run, step);
      if (remoteKey === undefined)
        return this.#skip(run, step, 'o produto ou o operador ainda não está lá', [], 'aindaNaoEstaLa');
      return this.#request(run, wire, { ...step, remoteKey }, { body: linkOfKey(remoteKey) });
    }
    const content = currentContent(this.#db, run.cpfCnpjRaiz, kind, step.localKey);
    if (step.operation === 'include') {
      const match = await this.#remoteLookup.findUnseen(run, wire, kind, step, content.codes);
      if (match === undefined) return this.#request(run, wire, step, content);
      return match.isEqual
        ? this.#adopt(run, step, match.side)
        : this.#skip(run, step, CHANGED_REMOTELY, [match.side]);
    }
    const current = await this.#remoteLookup.current(run, wire, kind, step);
    if (current === undefined || current.fingerprint !== step.remoteFingerprint)
      return this.#skip(run, step, CHANGED_REMOTELY, current === undefined ? [] : [current]);
    const isOver = step.operation === 'deactivate';
    await this.#request(
      run,
      wire,
      { ...step, remoteVersao: current.versao },
      {
        codigoPais: isOver ? countryOf(current) : content.codigoPais,
        ...(!isOver && { body: content.body }),
      },
    );
  }

  /** Looks up a step whose result is unknown. Throws `Interrupted`. */
  async lookUp(run: Run, wire: Wire, step: Step): Promise<void> {
    try {
      await this.#lookUp(run, wire, step);
    } catch (error) {
      if (!(error instanceof LookupRefused)) throw error;
      const { message } = error.refusal;
      // A refused lookup does not show whether the step is done. Many of them in a row pause the run.
      await this.#put(run, { ...step, due: this.#clock.now() + LOOKUP_AFTER_MS, message }, true);
    }
  }

  async #lookUp(run: Run, wire: Wire, step: Step): Promise<void> {
    const { kind, operation } = step;
    if (kind === 'vinculo') {
      const isLinked = (await this.links.for(run, wire, step)).has(step.remoteKey ?? '');
      return isLinked === (operation === 'link')
        ? this.#adopt(run, step)
        : this.#retryOrLeaveOpen(run, step, []);
    }
    if (operation === 'include') {
      const sides = await this.#remoteLookup.results(run, wire, kind, step);
      const sentText = this.#remoteLookup.sentText(run, kind, step);
      const result = sides.find(({ text }) => sentText !== undefined && isSameContent(sentText, text));
      return result === undefined ? this.#retryOrLeaveOpen(run, step, sides) : this.#adopt(run, step, result);
    }
    const current = await this.#remoteLookup.current(run, wire, kind, step);
    if (current?.fingerprint === step.remoteFingerprint) return this.#retryOrLeaveOpen(run, step, []);
    const sentText = this.#remoteLookup.sentText(run, kind, step);
    const isDone =
      current !== undefined &&
      (operation === 'deactivate'
        ? current.situacao === 'DESATIVADO'
        : sentText !== undefined && isSameContent(sentText, current.text));
    return isDone
      ? this.#adopt(run, step, current)
      : this.#skip(run, step, CHANGED_REMOTELY, current === undefined ? [] : [current]);
  }

  /** Stores the intent, then sends the request. */
  async #request(
    run: Run,
    wire: Wire,
    step: Step,
    content: { readonly codigoPais?: string | undefined; readonly body?: unknown },
  ): Promise<void> {
    const intent = {
      ...step,
      outcome: 'intent',
      due: 0,
      attempts: step.attempts + 1,
      sentAt: this.#clock.now(),
    } as const;
    await this.#put(run, intent);
    const { codigoPais = '', body } = content;
    const answer = await wire.ask(requestOf(intent, run.cpfCnpjRaiz, { codigoPais, body }));
    await this.#handleAnswer(run, wire, intent, answer);
  }

  async #handleAnswer(run: Run, wire: Wire, step: Step, answer: WireAnswer): Promise<void> {
    if (answer.kind === 'rest' || answer.kind === 'stopped') {
      await this.#put(run, { ...step, outcome: 'pending', due: 0, attempts: step.attempts - 1 });
      throw new Interrupted(answer);
    }
    if (answer.kind === 'tooLarge') {
      await this.#unknown(run, step, answer.reason);
      throw new Interrupted(answer);
    }
    if (answer.kind === 'unknown') return this.#unknown(run, step, answer.reason, answer.until);
    const { status, body } = answer;
    if (status >= 400) return this.#refused(run, wire, step, status, body);
    if (step.kind === 'vinculo') return this.#done(run, step, 'sent', undefined, status);
    const side = isObject(body) ? COMPARABLES[step.kind].readRemote(body) : undefined;
    if (side === undefined) return this.#unknown(run, step, 'a resposta não é um registro');
    // An answer to another request does not decide this step.
    const isOwn =
      step.operation === 'include' ? this.#isResult(run, step.kind, step, side) : side.key === step.remoteKey;
    if (!isOwn) return this.#unknown(run, step, 'a resposta é de outro registro');
    await this.#done(run, step, 'sent', side, status);
  }

  /**
   * Returns true when an answered record is the result of this step. A record that only fits an uncertain
   * step is the delayed result of that one.
   */
  #isResult(run: Run, kind: PairedKind, step: Step, side: Side): boolean {
    if (!this.#remoteLookup.mayBeResult(run, step, side)) return false;
    const isResultOf = (candidateStep: Step): boolean => {
      const sentText = this.#remoteLookup.sentText(run, kind, candidateStep);
      return sentText !== undefined && isSameContent(sentText, side.text);
    };
    return isResultOf(step) || !this.#steps.uncertainIncludes(run.id, kind).some(isResultOf);
  }

  #unknown(run: Run, step: Step, message: string, until = 0): Promise<void> {
    const due = Math.max(this.#clock.now() + LOOKUP_AFTER_MS, until);
    return this.#put(run, { ...step, outcome: 'uncertain', due, lookups: 0, message });
  }

  async #refused(run: Run, wire: Wire, step: Step, status: number, body: unknown): Promise<void> {
    const { kind, operation } = step;
    const refusal = parseRefusal(status, body);
    const identical = kind === 'produto' && operation === 'include' ? identicalProductOf(refusal) : undefined;
    if (identical !== undefined) {
      const [side] = await this.#identical(run, wire, step, identical);
      const sentText = this.#remoteLookup.sentText(run, 'produto', step);
      if (
        side !== undefined &&
        sentText !== undefined &&
        this.#remoteLookup.isFree(run, step, side) &&
        isSameContent(sentText, side.text)
      )
        return this.#adopt(run, step, side);
    }
    await this.#put(run, { ...step, ...STEP_END, outcome: 'refused', ...refusal }, true);
  }

  /**
   * Returns the record that the refusal names. Returns none when the remote refuses the lookup. When no
   * request is allowed now, the include does not count as sent and is sent again later.
   */
  async #identical(run: Run, wire: Wire, step: Step, codigo: string): Promise<Side[]> {
    try {
      return await this.#remoteLookup.list(run, wire, 'produto', { codigo });
    } catch (error) {
      if (error instanceof LookupRefused) return [];
      if (!(error instanceof Interrupted)) throw error;
      await this.#put(run, { ...step, outcome: 'pending', due: 0, attempts: step.attempts - 1 });
      throw error;
    }
  }

  #isAsPlanned({ cpfCnpjRaiz }: Run, { kind, localKey, operation, localVersao }: Step): boolean {
    const now = currentRecord(this.#db, cpfCnpjRaiz, kind, localKey);
    if (kind === 'vinculo') return (operation === 'link') === (now !== undefined);
    return now?.versao === localVersao && (operation === 'deactivate') === (now?.situacao === 'DESATIVADO');
  }

  /**
   * Returns the link with the remote codes of its product and operator. `undefined`: one of them is
   * unknown.
   */
  #remoteLinkKey(
    { remoteId, cpfCnpjRaiz }: Run,
    { localKey, remoteKey, operation }: Step,
  ): string | undefined {
    if (operation === 'unlink') return remoteKey ?? undefined;
    const link = linkOfKey(localKey);
    const localProduct = keyOfCode('produto', String(link.codigoProduto));
    const product = this.#pairs.remoteKeyOf(remoteId, cpfCnpjRaiz, 'produto', localProduct);
    const operator = link.codigoOperadorEstrangeiro;
    const remoteOperator = operator && this.#pairs.remoteKeyOf(remoteId, cpfCnpjRaiz, 'operador', operator);
    if (product === undefined || remoteOperator === undefined) return undefined;
    return keyOfLink({ ...link, codigoProduto: Number(product), codigoOperadorEstrangeiro: remoteOperator });
  }

  #retryOrLeaveOpen(run: Run, step: Step, sides: readonly Side[]): Promise<void> {
    const lookups = step.lookups + 1;
    if (lookups < LOOKUPS_MAX)
      return this.#put(run, { ...step, lookups, due: this.#clock.now() + LOOKUP_AFTER_MS });
    if (step.attempts < ATTEMPTS_MAX)
      return this.#put(run, { ...step, outcome: 'pending', due: 0, lookups: 0 });
    return this.#put(run, { ...step, due: null, candidates: sides.map(candidateOf) });
  }

  #adopt(run: Run, step: Step, side?: Side): Promise<void> {
    return this.#done(run, step, 'adopted', side, step.status);
  }

  /** Ends a step that is done in the remote: stores the pair and the agreement of both sides. */
  async #done(
    run: Run,
    step: Step,
    outcome: 'sent' | 'adopted',
    side: Side | undefined,
    status: number | null,
  ): Promise<void> {
    const { remoteId, cpfCnpjRaiz } = run;
    const { kind, localKey, localVersao, localFingerprint } = step;
    const [remoteKey, remoteVersao] = [side?.key ?? step.remoteKey, side?.versao ?? null];
    await this.#writer.write((tx) => {
      const isUnlinked = step.operation === 'unlink';
      if (isUnlinked) this.#pairs.delete(remoteId, cpfCnpjRaiz, { kind, localKey });
      else
        this.#pairs.put(remoteId, cpfCnpjRaiz, {
          kind,
          localKey,
          remoteKey,
          base:
            side === undefined
              ? { versao: null, local: null, remote: null }
              : { versao: localVersao, local: localFingerprint, remote: side.fingerprint },
        });
      const patch: Patch = {
        ...STEP_END,
        outcome,
        remoteKey,
        remoteVersao,
        status,
        code: null,
        message: null,
      };
      this.#steps.put(run, { ...step, ...patch }, tx.now);
      this.#steps.refusedInRow(run, false);
    });
  }

  #skip(
    run: Run,
    step: Step,
    message: string,
    sides: readonly Side[] = [],
    code = 'mudouDepois',
  ): Promise<void> {
    return this.#put(run, {
      ...step,
      ...STEP_END,
      outcome: 'skipped',
      code,
      message,
      candidates: sides.map(candidateOf),
    });
  }

  async #put(run: Run, step: Step, isRefused = false): Promise<void> {
    await this.#writer.write((tx) => {
      this.#steps.put(run, step, tx.now);
      if (isRefused) this.#steps.refusedInRow(run, true);
    });
  }
}

const candidateOf = ({ key, name, situacao }: Side): StepCandidate => ({ there: key, name, situacao });
