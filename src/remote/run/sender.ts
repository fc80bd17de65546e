/**
 * Executes the steps of a run that sends, one at a time: no step is sent twice and none is lost (contract
 * section 18). Each transition of a step is one transaction. The intent is on disk before a request leaves.
 */
import { SECOND_MS } from '../../clock.ts';
import type { Writer } from '../../db/writer.ts';
import { isObject } from '../../validation/json-value.ts';
import { linkOfKey, keyOfLink } from '../compare/link.ts';
import type { PairedKind, Side } from '../compare/model.ts';
import type { Wire, WireAnswer } from '../wire/model.ts';
import { keyOfCode } from '../shown.ts';
import { fits } from './tolerant-comparison.ts';
import type { Run, Step, StepCandidate } from './model.ts';
import { CHANGED_HERE, standingNow } from './plan.ts';
import { contentNow, countryOf } from './content.ts';
import { SharedLinks, type SharedLinksParts } from './links-there.ts';
import { RemoteLookup, type RemoteLookupParts } from './remote-lookup.ts';
import type { StepStore } from './step-store.ts';
import { COMPARABLES, Interrupted, LookupRefused, identicalIn, refusalIn, requestOf } from './wire-words.ts';

export interface SenderParts extends RemoteLookupParts, SharedLinksParts {
  readonly writer: Writer;
  readonly steps: StepStore;
}

/** Time from an unreadable answer to the first lookup, and from the first to the second. */
export const LOOK_AFTER_MS = 30 * SECOND_MS;
const LOOKS = 2;
const ATTEMPTS_MAX = 5;

type Patch = Partial<Step>;

const SINCE_THERE = 'mudou lá depois da comparação; compare de novo';
const ENDED = { due: null, candidates: [] } as const;

export class Sender {
  readonly #parts: SenderParts;
  readonly #remoteLookup: RemoteLookup;

  readonly links: SharedLinks;

  constructor(parts: SenderParts) {
    this.links = new SharedLinks(parts);
    this.#parts = parts;
    this.#remoteLookup = new RemoteLookup(parts);
  }

  /** Sends a pending step. Throws `Interrupted`. */
  async send(run: Run, wire: Wire, step: Step): Promise<void> {
    try {
      await this.#send(run, wire, step);
    } catch (error) {
      // Lookups run before the request leaves. After it, only `look` decides.
      if (!(error instanceof LookupRefused)) throw error;
      await this.#put(run, { ...step, ...ENDED, outcome: 'refused', ...error.refusal }, true);
    }
  }

  async #send(run: Run, wire: Wire, step: Step): Promise<void> {
    const { kind } = step;
    if (!this.#isAsPlanned(run, step)) return this.#skip(run, step, CHANGED_HERE);
    if (kind === 'vinculo') {
      const remoteKey = this.#linkThere(run, step);
      if (remoteKey === undefined)
        return this.#skip(run, step, 'o produto ou o operador ainda não está lá', [], 'aindaNaoEstaLa');
      return this.#leave(run, wire, { ...step, there: remoteKey }, { body: linkOfKey(remoteKey) });
    }
    const content = contentNow(this.#parts.db, run.cpfCnpjRaiz, kind, step.here);
    if (step.operation === 'include') {
      const match = await this.#remoteLookup.findUnseen(run, wire, kind, step, content.codes);
      if (match === undefined) return this.#leave(run, wire, step, content);
      return match.isEqual
        ? this.#adopt(run, step, match.side)
        : this.#skip(run, step, SINCE_THERE, [match.side]);
    }
    const current = await this.#remoteLookup.current(run, wire, kind, step);
    if (current === undefined || current.whole !== step.thereWhole)
      return this.#skip(run, step, SINCE_THERE, current === undefined ? [] : [current]);
    const isOver = step.operation === 'deactivate';
    await this.#leave(
      run,
      wire,
      { ...step, thereVersao: current.versao },
      {
        codigoPais: isOver ? countryOf(current) : content.codigoPais,
        ...(!isOver && { body: content.body }),
      },
    );
  }

  /** Looks up a step whose result is unknown. Throws `Interrupted`. */
  async look(run: Run, wire: Wire, step: Step): Promise<void> {
    try {
      await this.#look(run, wire, step);
    } catch (error) {
      if (!(error instanceof LookupRefused)) throw error;
      const { message } = error.refusal;
      // The step may be done: a refused lookup does not decide it. Many of them in a row alert a person.
      await this.#put(run, { ...step, due: this.#parts.clock.now() + LOOK_AFTER_MS, message }, true);
    }
  }

  async #look(run: Run, wire: Wire, step: Step): Promise<void> {
    const { kind, operation } = step;
    if (kind === 'vinculo') {
      const isThere = (await this.links.for(run, wire, step)).has(step.there ?? '');
      return isThere === (operation === 'link') ? this.#adopt(run, step) : this.#lookedInVain(run, step, []);
    }
    if (operation === 'include') {
      const sides = await this.#remoteLookup.results(run, wire, kind, step);
      const sent = this.#remoteLookup.sentText(run, kind, step);
      const result = sides.find(({ text }) => sent !== undefined && fits(sent, text));
      return result === undefined ? this.#lookedInVain(run, step, sides) : this.#adopt(run, step, result);
    }
    const current = await this.#remoteLookup.current(run, wire, kind, step);
    if (current?.whole === step.thereWhole) return this.#lookedInVain(run, step, []);
    const sent = this.#remoteLookup.sentText(run, kind, step);
    const isDone =
      current !== undefined &&
      (operation === 'deactivate'
        ? current.situacao === 'DESATIVADO'
        : sent !== undefined && fits(sent, current.text));
    return isDone
      ? this.#adopt(run, step, current)
      : this.#skip(run, step, SINCE_THERE, current === undefined ? [] : [current]);
  }

  /** Stores the intent, then sends the request. */
  async #leave(
    run: Run,
    wire: Wire,
    step: Step,
    sent: { readonly codigoPais?: string | undefined; readonly body?: unknown },
  ): Promise<void> {
    const { clock } = this.#parts;
    const intent = {
      ...step,
      outcome: 'intent',
      due: 0,
      attempts: step.attempts + 1,
      sentAt: clock.now(),
    } as const;
    await this.#put(run, intent);
    const { codigoPais = '', body } = sent;
    const answer = await wire.ask(requestOf(intent, run.cpfCnpjRaiz, { codigoPais, body }));
    await this.#answered(run, wire, intent, answer);
  }

  async #answered(run: Run, wire: Wire, step: Step, answer: WireAnswer): Promise<void> {
    if (answer.is === 'rest' || answer.is === 'stopped') {
      await this.#put(run, { ...step, outcome: 'pending', due: 0, attempts: step.attempts - 1 });
      throw new Interrupted(answer);
    }
    if (answer.is === 'tooLarge') {
      await this.#unknown(run, step, answer.reason);
      throw new Interrupted(answer);
    }
    if (answer.is === 'unknown') return this.#unknown(run, step, answer.reason, answer.until);
    const { status, body } = answer;
    if (status >= 400) return this.#refused(run, wire, step, status, body);
    if (step.kind === 'vinculo') return this.#done(run, step, 'sent', undefined, status);
    const side = isObject(body) ? COMPARABLES[step.kind].theirs(body) : undefined;
    if (side === undefined) return this.#unknown(run, step, 'a resposta não é um registro');
    // An answer to another request does not decide this step.
    const isOwn =
      step.operation === 'include' ? this.#isResult(run, step.kind, step, side) : side.key === step.there;
    if (!isOwn) return this.#unknown(run, step, 'a resposta é de outro registro');
    await this.#done(run, step, 'sent', side, status);
  }

  /**
   * Returns true when an answered record is the result of this step. A record that only fits an uncertain
   * step is the delayed result of that one.
   */
  #isResult(run: Run, kind: PairedKind, step: Step, side: Side): boolean {
    if (!this.#remoteLookup.mayBeResult(run, step, side)) return false;
    const isOf = (one: Step): boolean => {
      const sent = this.#remoteLookup.sentText(run, kind, one);
      return sent !== undefined && fits(sent, side.text);
    };
    return isOf(step) || !this.#parts.steps.uncertainIncludes(run.id, kind).some(isOf);
  }

  #unknown(run: Run, step: Step, message: string, until = 0): Promise<void> {
    const due = Math.max(this.#parts.clock.now() + LOOK_AFTER_MS, until);
    return this.#put(run, { ...step, outcome: 'uncertain', due, looks: 0, message });
  }

  async #refused(run: Run, wire: Wire, step: Step, status: number, body: unknown): Promise<void> {
    const { kind, operation } = step;
    const refusal = refusalIn(status, body);
    const identical = kind === 'produto' && operation === 'include' ? identicalIn(refusal) : undefined;
    if (identical !== undefined) {
      const [side] = await this.#identical(run, wire, step, identical);
      const sent = this.#remoteLookup.sentText(run, 'produto', step);
      if (
        side !== undefined &&
        sent !== undefined &&
        this.#remoteLookup.isFree(run, step, side) &&
        fits(sent, side.text)
      )
        return this.#adopt(run, step, side);
    }
    await this.#put(run, { ...step, ...ENDED, outcome: 'refused', ...refusal }, true);
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

  #isAsPlanned({ cpfCnpjRaiz }: Run, { kind, here: localKey, operation, hereVersao }: Step): boolean {
    const now = standingNow(this.#parts.db, cpfCnpjRaiz, kind, localKey);
    if (kind === 'vinculo') return (operation === 'link') === (now !== undefined);
    return now?.versao === hereVersao && (operation === 'deactivate') === (now?.situacao === 'DESATIVADO');
  }

  /**
   * Returns the link with the remote codes of its product and operator. `undefined`: one of them is
   * unknown.
   */
  #linkThere(
    { remoteId, cpfCnpjRaiz }: Run,
    { here: localKey, there: remoteKey, operation }: Step,
  ): string | undefined {
    if (operation === 'unlink') return remoteKey ?? undefined;
    const { pairs } = this.#parts;
    const link = linkOfKey(localKey);
    const ours = keyOfCode('produto', String(link.codigoProduto));
    const product = pairs.remoteKeyOf(remoteId, cpfCnpjRaiz, 'produto', ours);
    const operator = link.codigoOperadorEstrangeiro;
    const operatorThere = operator && pairs.remoteKeyOf(remoteId, cpfCnpjRaiz, 'operador', operator);
    if (product === undefined || operatorThere === undefined) return undefined;
    return keyOfLink({ ...link, codigoProduto: Number(product), codigoOperadorEstrangeiro: operatorThere });
  }

  #lookedInVain(run: Run, step: Step, sides: readonly Side[]): Promise<void> {
    const looks = step.looks + 1;
    if (looks < LOOKS)
      return this.#put(run, { ...step, looks, due: this.#parts.clock.now() + LOOK_AFTER_MS });
    if (step.attempts < ATTEMPTS_MAX)
      return this.#put(run, { ...step, outcome: 'pending', due: 0, looks: 0 });
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
    const { writer, pairs, steps } = this.#parts;
    const { remoteId, cpfCnpjRaiz } = run;
    const { kind, here: localKey, hereVersao, hereWhole } = step;
    const [remoteKey, thereVersao] = [side?.key ?? step.there, side?.versao ?? null];
    await writer.write((tx) => {
      const isUnlinked = step.operation === 'unlink';
      if (isUnlinked) pairs.delete(remoteId, cpfCnpjRaiz, { kind, here: localKey });
      else
        pairs.put(remoteId, cpfCnpjRaiz, {
          kind,
          here: localKey,
          there: remoteKey,
          base:
            side === undefined
              ? { versao: null, here: null, there: null }
              : { versao: hereVersao, here: hereWhole, there: side.whole },
        });
      const patch: Patch = {
        ...ENDED,
        outcome,
        there: remoteKey,
        thereVersao,
        status,
        code: null,
        message: null,
      };
      steps.put(run, { ...step, ...patch }, tx.now);
      steps.refusedInRow(run, false);
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
      ...ENDED,
      outcome: 'skipped',
      code,
      message,
      candidates: sides.map(candidateOf),
    });
  }

  async #put(run: Run, step: Step, isRefused = false): Promise<void> {
    const { writer, steps } = this.#parts;
    await writer.write((tx) => {
      steps.put(run, step, tx.now);
      if (isRefused) steps.refusedInRow(run, true);
    });
  }
}

const candidateOf = ({ key, name, situacao }: Side): StepCandidate => ({ there: key, name, situacao });
