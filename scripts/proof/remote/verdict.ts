/**
 * The checks at the end of a round: all records equal except those that both sides changed, no duplicate, no
 * loss.
 */
import type { Catalogue, Standing } from './catalogue.ts';
import type { Changes, Touched } from './changes.ts';
import {
  type RecordedVersion,
  followsLate,
  latesOf,
  versionsText,
  versionsThere,
  writesOf,
} from './lateness.ts';
import type { Side } from './sides.ts';
import type { ComparedRecord } from './sync.ts';
import type { Passage } from './recording-proxy.ts';

export interface VerdictParts {
  readonly here: Catalogue;
  readonly there: Catalogue;
  readonly sideThere: Side;
  readonly records: readonly ComparedRecord[];
  readonly changes: Changes;
  readonly passages: readonly Passage[];
  /** The first request of this round. */
  readonly from: number;
  /** The records that the remote created late, as the first comparison reported them. */
  readonly named: Map<string, string>;
  /** Versions that the remote created, or ended, late. */
  readonly lates: Set<string>;
  /** The remote changes have been fetched. */
  readonly fetches: boolean;
}

export class Verdict {
  readonly problems: string[] = [];
  readonly #parts: VerdictParts;
  readonly #lateNames = new Set<string>();

  constructor(parts: VerdictParts) {
    this.#parts = parts;
  }

  /** Finds records or versions that exist more often than they were created. */
  async findTwice(): Promise<void> {
    const { there, here, passages, from } = this.#parts;
    for (const [name, standings] of here.records)
      if (standings.length > (there.records.get(name)?.length ?? 1))
        this.problems.push(`${name}: ${standings.length} vezes aqui`);
    for (const [name, standings] of there.records) {
      const isOld = standings.every((one) => !writesOf(passages, name, one).some(({ n }) => n >= from));
      if (standings.length > 1 || !isOld) await this.#findTwiceOf(name, standings);
    }
  }

  async #findTwiceOf(name: string, standings: readonly Standing[]): Promise<void> {
    const { passages, sideThere } = this.#parts;
    const writes = [...new Set(standings.flatMap((one) => writesOf(passages, name, one)))];
    const versions: RecordedVersion[] = [];
    for (const standing of standings)
      for (const version of await versionsThere(sideThere, standing))
        versions.push({ codigo: standing.codigo, version });
    const lates = latesOf(versions, writes);
    for (const one of lates) this.#parts.lates.add(`${name} ${one.codigo}/${one.version.versao}`);
    if (lates.length > 0) this.#lateNames.add(name);
    const again = versions.find(
      (one) =>
        !isFirst(versions, one) &&
        one.version.changes.length === 0 &&
        !lates.includes(one) &&
        !followsLate(one, versions, lates),
    );
    if (again !== undefined)
      this.problems.push(
        `${name}: uma versão feita de novo, igual à anterior (${versionsText(versions, writes)})`,
      );
    if (standings.length - 1 > lates.filter((one) => isFirst(versions, one)).length)
      this.problems.push(`${name}: ${standings.length} vezes lá (${versionsText(versions, writes)})`);
    else if (standings.length > 1) this.#name(name, standings);
  }

  /** Checks that the first comparison after its creation reports each one, and the record that it equals. */
  #name(name: string, standings: readonly Standing[]): void {
    const { records, changes, named } = this.#parts;
    this.#lateNames.add(name);
    const [{ kind } = { kind: 'produto' }] = standings;
    const isDoubtful = records.some((one) => one.name === name && one.state === 'ambiguo');
    let nameless = 0;
    for (const { codigo } of standings) {
      const one = records.find(({ remoteCodigo, ...of }) => of.kind === kind && remoteCodigo === codigo);
      if (one !== undefined && one.codigo !== null) continue; // ours
      if (one?.reason) named.set(`${name}: ${codigo}`, one.reason);
      // A record that was changed in the meantime equals no other record any more.
      const isTold = named.has(`${name}: ${codigo}`) || (one !== undefined && changes.touched.has(name));
      if (!isTold) nameless += 1;
    }
    if (nameless > 0 && !isDoubtful)
      this.problems.push(`${name}: ${nameless} feito(s) tarde lá, e a comparação não diz a quem é igual`);
  }

  /** Checks that the state of each record follows from its changes. */
  findAstray(): void {
    const { here, there, records, changes, fetches } = this.#parts;
    for (const one of records) {
      const { name, kind, state, reason } = one;
      if (kind === 'vinculo' || this.#lateNames.has(name)) continue;
      const allowed = allowedStates(changes.touched.get(name), here.records.has(name), fetches);
      if (allowed.includes(state) || isGoneBefore(one)) continue;
      this.problems.push(
        `${name}: ${state} (${reason}), e devia ser ${allowed.join(' ou ')}; ${JSON.stringify(changes.touched.get(name))}`,
      );
    }
    const recordsByCode = new Map(records.map((one) => [`${one.kind} ${one.codigo}`, one]));
    for (const [name, [standing]] of here.records) {
      if (standing === undefined || this.#lateNames.has(name)) continue;
      const state = recordsByCode.get(`${standing.kind} ${standing.codigo}`)?.state;
      if (state === undefined) this.problems.push(`${name}: a comparação não o conhece`);
      if (state !== 'igual') continue;
      const [other] = there.records.get(name) ?? [];
      // A record deactivated locally is sent only as deactivated, without its last changes.
      const isOver = standing.situacao === 'DESATIVADO' || other?.content === standing.content;
      const isSame = isOver && other?.situacao === standing.situacao;
      if (!isSame)
        this.problems.push(
          `${name}: dito igual, e lá é ${JSON.stringify(other)}; aqui ${JSON.stringify(standing)}`,
        );
    }
    this.#findAstrayLinks();
  }

  #findAstrayLinks(): void {
    const { here, there, changes } = this.#parts;
    for (const link of new Set([...here.links, ...there.links])) {
      if (here.links.has(link) === there.links.has(link)) continue;
      const isOfBoth = link.split(' → ').some((name) => {
        const { there: isThere } = changes.touched.get(name) ?? { there: false };
        const isGone = here.records.get(name)?.[0]?.situacao === 'DESATIVADO';
        return isThere || isGone || this.#lateNames.has(name) || !here.records.has(name);
      });
      if (isOfBoth || changes.touchedLinks.get(link)?.there === true) continue;
      this.problems.push(`vínculo ${link}: está só ${here.links.has(link) ? 'aqui' : 'lá'}`);
    }
  }

  /** Marks the records on which both sides agree as untouched. */
  settle(): void {
    const { records, changes, here, there } = this.#parts;
    for (const { name, state, kind } of records) {
      if (kind === 'vinculo') continue;
      if (state === 'igual') changes.touched.delete(name);
      else if (state !== 'mudouNosDois') changes.touched.set(name, { here: false, there: true });
    }
    for (const [link, { there: isThere }] of changes.touchedLinks)
      if (here.links.has(link) === there.links.has(link) || !isThere) changes.touchedLinks.delete(link);
  }
}

function allowedStates(touched: Touched | undefined, isHere: boolean, fetches: boolean): readonly string[] {
  if (!isHere) return fetches ? ['nenhum'] : ['soLa'];
  if (touched === undefined) return ['igual'];
  if (fetches) return touched.here && touched.there ? ['igual', 'mudouNosDois'] : ['igual'];
  if (touched.here && touched.there) return ['igual', 'mudouNosDois', 'mudouLa', 'desativadoLa'];
  return touched.there ? ['mudouLa', 'desativadoLa', 'igual'] : ['igual'];
}

/** Returns true for a record that was deactivated before it was ever sent: it is never sent. */
const isGoneBefore = ({ state, reason }: ComparedRecord): boolean =>
  state === 'naoEnviavel' && reason?.startsWith('desativado antes') === true;

const isFirst = (made: readonly RecordedVersion[], { codigo, version }: RecordedVersion): boolean =>
  made.find((one) => one.codigo === codigo)?.version === version;
