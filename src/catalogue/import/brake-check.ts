/**
 * Checks the brakes of an import before it starts (contract sections 24 and 25): applies its items, counts the
 * changes, and rolls them back.
 */
import type { Change } from '../../change.ts';
import type { Writer } from '../../db/writer.ts';
import { endOfTurn } from '../../clock.ts';
import { type Problem, unprocessable } from '../../errors.ts';
import type { FileLimits } from '../../files/file-limits.ts';
import { type FileItem, type ItemSource, otherMembers } from '../../files/json-members.ts';
import { UnreadableFile } from '../../files/unreadable-file.ts';
import { situacaoIn } from '../batch.ts';
import {
  type BrakedPart,
  type Expected,
  type DeactivationCount,
  type DeactivationWords,
  PRODUCT_DEACTIVATIONS,
  identityChangeProblems,
  changesManyIdentities,
  deactivationProblems,
} from '../brake.ts';
import { ItemCount, ItemFeed, storedContents } from './feed.ts';
import type { FileContents, ItemResult } from './model.ts';
import { type SliceOptions, applySlice } from './slice.ts';

type Kind = 'produto' | 'operador';

/** The records of the catalogue, limited to what a brake checks. */
export interface BrakedRecords {
  readonly products: {
    findHead(cpfCnpjRaiz: string, codigo: number): { readonly situacao: string } | undefined;
    countActive(cpfCnpjRaiz: string): number;
  };
  readonly operators: {
    findHead(cpfCnpjRaiz: string, codigo: string): { readonly situacao: string } | undefined;
    countActive(cpfCnpjRaiz: string): number;
  };
  readonly links: {
    activeProductsOf(cpfCnpjRaiz: string, operators: readonly string[], most: number): readonly number[];
  };
}

export interface BrakeCheckRequest
  extends
    BrakedPart,
    Pick<SliceOptions, 'kind' | 'applier' | 'caller' | 'mode' | 'fileName' | 'rows' | 'sheetMembers'> {
  readonly file: string | ItemSource;
  readonly limits: FileLimits;
  readonly expected: Expected;
  /** True for a dry run: it reports the number of deactivations, and the brake does not stop it. */
  readonly simulates: boolean;
  /** True if the command line requests the number. */
  readonly byCommand?: boolean;
}

interface Effects {
  /** The codes of records to be deactivated, by kind and company. */
  readonly codesToDeactivate: ReadonlyMap<string, ReadonlySet<string>>;
  readonly matchedRows: number;
  readonly changed: number;
  readonly examples: readonly string[];
  readonly contents: FileContents;
}

const EXAMPLES = 3;
/** Items that are looked at in one turn: some ms. */
const ITEMS_PER_TURN = 128;
const USING_PRODUCTS_MAX = 10;

export class BrakeCheck {
  readonly #writer: Pick<Writer, 'write'>;
  readonly #stopwatch: () => number;
  readonly #records: BrakedRecords;

  constructor(writer: Pick<Writer, 'write'>, stopwatch: () => number, records: BrakedRecords) {
    this.#writer = writer;
    this.#stopwatch = stopwatch;
    this.#records = records;
  }

  /**
   * Throws 422 if a brake stops the import. Returns the contents of the file for its job, because it has read
   * the file to its end. `undefined`: the file is unreadable, which its import reports.
   */
  async refuse(request: BrakeCheckRequest): Promise<FileContents | undefined> {
    let effects: Effects;
    try {
      effects = await this.#effectsOf(request);
    } catch (error) {
      if (error instanceof UnreadableFile) return undefined;
      throw error;
    }
    const problems = this.#problems(request, effects);
    if (problems.length > 0) throw unprocessable(problems);
    return effects.contents;
  }

  #problems(
    { expected, simulates, keyColumn, byCommand = false }: BrakeCheckRequest,
    { codesToDeactivate, matchedRows, changed, examples }: Effects,
  ): Problem[] {
    const companies = simulates ? [] : this.#companies(codesToDeactivate);
    const identityChanges = { matchedRows, changed, examples, key: keyColumn ?? '' };
    const count = companies.reduce((sum, company) => sum + company.deactivations, 0);
    const doBothApply =
      deactivationProblems(companies, undefined).length > 0 && changesManyIdentities(identityChanges);
    const flag = byCommand ? 'acrescente --expected ' : 'envie expected: ';
    const both = `${flag}${byCommand ? "'" : ''}{"changed": ${changed}, "deactivated": ${count}}${byCommand ? "'" : ''}`;
    const ask = (number: number): string => (doBothApply ? both : `${flag}${number}`);
    const { all } = expected;
    const expectedCounts = doBothApply ? expected : { changed: all, deactivated: all, ...expected };
    const field = byCommand ? '--expected' : 'expected';
    return [
      ...identityChangeProblems(identityChanges, expectedCounts.changed, ask, field),
      ...deactivationProblems(companies, expectedCounts.deactivated, {
        ...this.#words(codesToDeactivate),
        ask,
        field,
      }),
    ];
  }

  #companies(codesToDeactivate: Effects['codesToDeactivate']): DeactivationCount[] {
    const { products, operators } = this.#records;
    return [...codesToDeactivate].map(([place, codes]) => {
      const { kind, cpfCnpjRaiz } = placeIn(place);
      const isActive = (codigo: string): boolean => this.#situacaoOf(kind, cpfCnpjRaiz, codigo) === 'ATIVADO';
      const store = kind === 'produto' ? products : operators;
      return { deactivations: [...codes].filter(isActive).length, active: store.countActive(cpfCnpjRaiz) };
    });
  }

  #words(codesToDeactivate: Effects['codesToDeactivate']): DeactivationWords {
    const operators = [...codesToDeactivate].find(([place]) => placeIn(place).kind === 'operador');
    if (operators === undefined) return PRODUCT_DEACTIVATIONS;
    const [place, codes] = operators;
    const { cpfCnpjRaiz } = placeIn(place);
    const { links } = this.#records;
    const using = links.activeProductsOf(cpfCnpjRaiz, [...codes], USING_PRODUCTS_MAX);
    return {
      singular: 'operador seria desativado',
      plural: 'operadores seriam desativados',
      ...(using.length > 0 && { more: ` Produtos que ainda os usam: ${using.join(', ')}.` }),
    };
  }

  async #effectsOf({
    file,
    limits,
    checkedItems,
    keyColumn,
    ...options
  }: BrakeCheckRequest): Promise<Effects> {
    const codesToDeactivate = new Map<string, Set<string>>();
    const examples: string[] = [];
    let [matchedRows, changed] = [0, 0];
    const feed = new ItemFeed(file, limits, undefined, this.#stopwatch);
    const companies = new Set(options.caller.companies.keys());
    const count = new ItemCount(companies, options.sheetMembers);
    const slice = { ...options, dryRun: true };
    // An item that can only create a record changes no other one.
    const isChecked = ({ value, member }: FileItem): boolean =>
      checkedItems === 'all'
        ? options.applier.mayMeetRecord?.(value, member) !== false
        : situacaoIn(value) === 'DESATIVADO';
    const countChangedIdentity = (result: ItemResult): void => {
      if (keyColumn === undefined || !MEETS.has(result.outcome)) return;
      matchedRows += 1;
      const example = otherRecordIn(result);
      if (example === undefined) return;
      changed += 1;
      if (examples.length < EXAMPLES) examples.push(example);
    };
    try {
      for (let ahead = await feed.next(); ahead.length > 0; ahead = await feed.next()) {
        const items = ahead.slice(0, ITEMS_PER_TURN);
        for (const item of items) count.add(item);
        let rest = items.filter(isChecked);
        while (rest.length > 0) {
          const some = rest;
          const results = await this.#writer.write((unit) =>
            applySlice(
              this.#stopwatch,
              { ...unit, record: (change) => this.#noteDeactivation(codesToDeactivate, change) },
              some,
              slice,
            ),
          );
          results.forEach(countChangedIdentity);
          rest = rest.slice(results.length);
        }
        feed.take(items.length);
        await endOfTurn();
      }
    } finally {
      await feed.close();
    }
    const leftOut = typeof file === 'string' ? await otherMembers(file, limits) : [];
    const contents = storedContents(count.contents(leftOut), companies, null);
    return { codesToDeactivate, matchedRows, changed, examples, contents };
  }

  /** Records a record that a change of an item deactivates, by any action, before the change is rolled back. */
  #noteDeactivation(codesToDeactivate: Map<string, Set<string>>, { kind, key }: Change): void {
    if (kind !== 'produto' && kind !== 'operador') return;
    const [cpfCnpjRaiz = '', codigo = ''] = key.split('/');
    if (this.#situacaoOf(kind, cpfCnpjRaiz, codigo) !== 'DESATIVADO') return;
    const place = `${kind} ${cpfCnpjRaiz}`;
    codesToDeactivate.set(place, (codesToDeactivate.get(place) ?? new Set()).add(codigo));
  }

  /** Returns the current situation of a record. `undefined`: it does not exist. */
  #situacaoOf(kind: Kind, cpfCnpjRaiz: string, codigo: string): string | undefined {
    const { products, operators } = this.#records;
    const head =
      kind === 'produto'
        ? products.findHead(cpfCnpjRaiz, Number(codigo))
        : operators.findHead(cpfCnpjRaiz, codigo);
    return head?.situacao;
  }
}

const placeIn = (place: string): { readonly kind: Kind; readonly cpfCnpjRaiz: string } => {
  const [kind, cpfCnpjRaiz = ''] = place.split(' ');
  return { kind: kind as Kind, cpfCnpjRaiz };
};

const MEETS: ReadonlySet<string> = new Set(['newVersion', 'unchanged', 'deactivated']);

/** Returns `7: Porca → Parafuso` for a row that changes both the NCM and the name of its product. */
function otherRecordIn({ codigo, changes }: ItemResult): string | undefined {
  const name = changes.find(({ member }) => member === 'denominacao');
  const ncm = changes.find(({ member }) => member === 'ncm');
  if (name?.before == null || ncm?.before == null) return undefined;
  return `${codigo}: ${name.before} (${ncm.before}) → ${name.after} (${ncm.after})`;
}
