/**
 * Corrects a bulk change (contract sections 24 and 25): the same instructions run again for the failed products, with
 * other values in place of the refused ones.
 */
import { type ItemProblem, type Problem, malformed, unprocessable } from '../../errors.ts';
import { withCount } from '../../validation/text.ts';
import { decode } from '../../validation/decode.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import { scalarText } from '../../validation/json-number.ts';
import { asSchema } from '../../validation/schema.ts';
import { violated } from '../codes.ts';
import type { ItemResult } from '../import/model.ts';
import type { DoneRows } from '../import/service.ts';
import { PRODUCT_SETTABLE } from '../members/product.ts';
import { type Correction, type Value, isSkip, refuseTooMany, valueProblems } from '../sheet/corrections.ts';
import { refusedMember } from '../sheet/reason-words.ts';
import { parseTarget } from '../sheet/target.ts';
import type { ChangeItem } from './applier.ts';
import {
  type ChangeInstructions,
  type CorrectedInstructions,
  type ProductSet,
  type changeRequestSchema,
  changeRequestProblems,
  correctedSets,
  setWith,
} from './change-request.ts';

type Schema = ReturnType<typeof changeRequestSchema>;

/** A correction whose values are decoded as parts of instructions. */
interface SetCorrection extends Pick<Correction, 'reason' | 'member'> {
  readonly value: ProductSet | undefined;
  readonly map: ReadonlyMap<string, ProductSet | undefined> | undefined;
}

export class CorrectedProducts {
  readonly #instructions: CorrectedInstructions;
  readonly #set: readonly SetCorrection[];
  readonly #used = new Set<SetCorrection>();
  readonly #skipped: string[] = [];
  /** The distinct sets by their JSON, each with the codes of its products. */
  readonly #corrected = new Map<string, { set: ProductSet; codigos: number[] }>();
  readonly #before: ReadonlyMap<number, ProductSet>;
  #failed = 0;

  /** Throws 400. */
  constructor(schema: Schema, instructions: CorrectedInstructions, set: readonly Correction[]) {
    refuseTooMany(set);
    const problems: Problem[] = [];
    this.#instructions = instructions;
    this.#before = correctedSets(instructions);
    this.#set = set.map((correction, index) => {
      const path = `/set/${index}`;
      const wrongValues = [
        ...entryProblems(correction, instructions, path),
        ...valueProblems(correction, path),
      ];
      problems.push(...wrongValues);
      const head = {
        member: correction.member,
        ...(correction.reason !== undefined && { reason: correction.reason }),
      };
      if (wrongValues.length > 0) return { ...head, value: undefined, map: undefined };
      const part = (value: Value, at: string) =>
        partOf(schema, instructions, correction.member, value, at, problems);
      return {
        ...head,
        value: correction.map === undefined ? part(correction.value ?? null, `${path}/value`) : undefined,
        map:
          correction.map &&
          new Map(
            Object.entries(correction.map).map(([received, value]) => [received, part(value, `${path}/map`)]),
          ),
      };
    });
    if (problems.length > 0) throw malformed(problems);
  }

  /** Returns the failed products, and with `includesOthers` also the others. Leaves out those that are `done`. */
  items(
    results: Iterable<ItemResult>,
    includesOthers: boolean,
    done: Pick<DoneRows, 'isOpen'>,
  ): ChangeItem[] {
    const items: ChangeItem[] = [];
    for (const result of results) {
      const failed = result.outcome === 'failed';
      const codigo = Number(result.codigo);
      if (failed) this.#failed += 1;
      else if (!includesOthers) continue;
      const set = failed ? this.#correctedSet(codigo, result) : this.#setOf(codigo);
      if (set === undefined) this.#skipped.push(String(codigo));
      else if (done.isOpen(codigo)) {
        this.#storeSet(codigo, set);
        items.push({ codigo, denominacao: result.name });
      }
    }
    return items;
  }

  /** Returns the instructions, once its items are read. */
  instructions(): CorrectedInstructions {
    const { corrected: _, ...changeInstructions } = this.#instructions;
    return { ...changeInstructions, corrected: [...this.#corrected.values()] };
  }

  /** Throws 422 if nothing failed, or if an entry matches no product. */
  check(): void {
    if (this.#failed === 0)
      throw unprocessable([violated('nothingToCorrect', null, 'Nenhum produto desta alteração falhou.')]);
    const unused = this.#set.flatMap((setCorrection, index) =>
      this.#used.has(setCorrection) ? [] : [index],
    );
    if (unused.length > 0)
      throw unprocessable(
        unused.map((index) =>
          violated(
            'nothingToCorrect',
            `/set/${index}`,
            `nenhum produto que falhou tem esse erro ou esse valor.`,
          ),
        ),
      );
  }

  /** Returns notices about products that an entry leaves out. */
  notices(): readonly string[] {
    if (this.#skipped.length === 0) return [];
    const first = this.#skipped.slice(0, SKIPPED_MAX).join(', ');
    return [`${withCount(this.#skipped.length, 'produto')} de fora: ${first}.`];
  }

  #setOf(codigo: number): ProductSet {
    return this.#before.get(codigo) ?? this.#instructions.set ?? {};
  }

  /** Returns the set of a product with its corrections. A later one wins. `undefined`: leave the product out. */
  #correctedSet(codigo: number, result: ItemResult): ProductSet | undefined {
    const before = this.#setOf(codigo);
    let set = before;
    for (const setCorrection of this.#set) {
      const { reason, member } = setCorrection;
      const received = receivedIn(before, member);
      const isRefused = result.problems.some((problem) =>
        reason === undefined
          ? isAbout(problem, member) === true
          : problem.code === reason && isAbout(problem, member) !== false,
      );
      if (reason !== undefined && !isRefused) continue;
      const isWrong = received === '' || isRefused;
      if (reason === undefined && setCorrection.map === undefined && !isWrong) continue;
      if (setCorrection.map !== undefined && !setCorrection.map.has(received)) continue;
      this.#used.add(setCorrection);
      const value = setCorrection.map === undefined ? setCorrection.value : setCorrection.map.get(received);
      if (value === undefined) return undefined;
      set = setWith(set, value);
    }
    return set;
  }

  /** Stores the set of a product only if it differs from the instructions. */
  #storeSet(codigo: number, set: ProductSet): void {
    const text = JSON.stringify(set);
    if (text === JSON.stringify(this.#instructions.set ?? {})) return;
    const correctedSet = this.#corrected.get(text);
    if (correctedSet === undefined) this.#corrected.set(text, { set, codigos: [codigo] });
    else correctedSet.codigos.push(codigo);
  }
}

/**
 * Returns true if the problem is about the member. `undefined`: the problem names no member. A problem of a
 * part names only the part.
 */
function isAbout(problem: ItemProblem, member: string): boolean | undefined {
  const refused = refusedMember(problem, () => new Map());
  if (refused === null) return undefined;
  const target = parseTarget(member);
  if (target.kind !== 'attribute') return refused === member;
  const head = parseTarget(refused);
  return head.kind === 'attribute' && [target.codigo, target.part].includes(head.codigo);
}

const SKIPPED_MAX = 10;

/** Returns what the instructions set for the member, as text, with ` | ` between several codes or values. */
function receivedIn(set: ProductSet, member: string): string {
  const target = parseTarget(member);
  if (target.kind === 'attribute') {
    const whole = set.atributos?.[target.codigo];
    if (target.part === undefined) return textOf(whole);
    return textOf((whole as Readonly<Record<string, unknown>> | null | undefined)?.[target.part]);
  }
  if (member === 'codigosInterno') return textOf(set.codigosInterno?.add);
  return textOf((set as Readonly<Record<string, unknown>>)[member]);
}

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textOf).join(' | ')
    : typeof value === 'string'
      ? value
      : (scalarText(value) ?? '');

const ACCEPTED_MEMBERS = `${PRODUCT_SETTABLE.join(', ')}, codigosInterno, atributo:CÓDIGO ou atributo:CÓDIGO/SUBCÓDIGO`;

const isSettable = (member: string): boolean =>
  member === 'codigosInterno' ||
  parseTarget(member).kind === 'attribute' ||
  (PRODUCT_SETTABLE as readonly string[]).includes(member);

function entryProblems(
  { member, rows, decimal, remember }: Correction,
  instructions: ChangeInstructions,
  path: string,
): Problem[] {
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries({ decimal, remember }))
    if (value !== undefined)
      problems.push(fieldProblem(name, 'só vale para uma planilha; retire-o.', `${path}/${name}`));
  if (instructions.deactivate === true)
    problems.push(
      fieldProblem(
        'set',
        'a alteração só desativa e não tem valores a corrigir; envie set vazio para tentar de novo.',
        path,
      ),
    );
  if (!isSettable(member))
    problems.push(
      fieldProblem(
        'member',
        `recebido "${member}"; em uma alteração de vários produtos aceita ${ACCEPTED_MEMBERS}.`,
        `${path}/member`,
      ),
    );
  if (rows !== undefined)
    problems.push(
      fieldProblem(
        'rows',
        'uma alteração de vários produtos não tem linhas de planilha; retire rows, ou informe reason.',
        `${path}/rows`,
      ),
    );
  return problems;
}

/**
 * Returns the value as a part of instructions, decoded like one.
 * `undefined`: the product is left out. Adds the problems of the value.
 */
function partOf(
  schema: Schema,
  { cpfCnpjRaiz }: ChangeInstructions,
  member: string,
  value: Value,
  path: string,
  problems: Problem[],
): ProductSet | undefined {
  if (isSkip(value)) return undefined;
  const changeRequest = { cpfCnpjRaiz, codigos: [1], set: rawPart(member, value) };
  const { value: decoded, problems: wrongParts } = decode(asSchema(schema), changeRequest);
  const request = decoded as Schema['static']; // valid if no problem was found
  const all = wrongParts.length > 0 ? wrongParts : changeRequestProblems(request);
  problems.push(...all.map((problem) => ({ ...problem, path })));
  return request.set;
}

function rawPart(member: string, value: string | null): object {
  const target = parseTarget(member);
  if (target.kind === 'attribute') {
    const { codigo, part } = target;
    return { atributos: { [codigo]: part === undefined ? value : { [part]: value } } };
  }
  if (member !== 'codigosInterno') return { [member]: value };
  const codes = (value ?? '').split('|').map((code) => code.trim());
  return { codigosInterno: { add: codes.filter(Boolean) } };
}
