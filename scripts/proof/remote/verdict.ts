/** What must hold at the end of a round: all equal but what both sides changed, nothing twice, nothing lost. */
import type { Catalogue, Standing } from './catalogue.ts';
import type { Changes, Touched } from './changes.ts';
import { isLate, versionsThere, writesOf } from './lateness.ts';
import type { Side } from './sides.ts';
import type { Found } from './sync.ts';
import type { Passage } from './witness.ts';

export interface VerdictParts {
  readonly here: Catalogue;
  readonly there: Catalogue;
  readonly sideThere: Side;
  readonly found: readonly Found[];
  readonly changes: Changes;
  readonly passages: readonly Passage[];
}

export class Verdict {
  readonly problems: string[] = [];
  /** Of what was done late there: named, one by one. */
  readonly late: string[] = [];
  readonly #parts: VerdictParts;
  readonly #lateNames = new Set<string>();

  constructor(parts: VerdictParts) {
    this.#parts = parts;
  }

  /** Records, or versions of one, that are there more often than they were made. */
  async findTwice(): Promise<void> {
    const { there, here, passages, sideThere } = this.#parts;
    for (const [name, standings] of here.records)
      if (standings.length > 1) this.problems.push(`${name}: ${standings.length} vezes aqui`);
    for (const [name, standings] of there.records) {
      const lates: Standing[] = [];
      const isWritten = writesOf(passages, name, standings[0] as Standing).length > 1;
      if (!isWritten && standings.length === 1) continue;
      for (const standing of standings) {
        const writes = writesOf(passages, name, standing);
        const versions = await versionsThere(sideThere, standing);
        const isLateOne = versions.some(
          ({ madeAt, madeBy, deactivatedAt, deactivatedBy }) =>
            isLate(writes, madeAt, madeBy) ||
            (deactivatedAt !== null && isLate(writes, deactivatedAt, deactivatedBy ?? '')),
        );
        if (isLateOne) lates.push(standing);
        const again = versions.find(
          ({ madeAt, madeBy, changes }, at) =>
            at > 0 && changes.length === 0 && !isLate(writes, madeAt, madeBy),
        );
        if (again !== undefined && !isLateOne)
          this.problems.push(
            `${name}: versão ${again.versao} de ${standing.codigo} feita de novo, igual à anterior`,
          );
      }
      if (lates.length > 0) this.#lateNames.add(name);
      const extra = standings.length - 1;
      if (extra > lates.length)
        this.problems.push(
          `${name}: ${standings.length} vezes lá (${standings.map(({ codigo }) => codigo).join(', ')})`,
        );
      else if (extra > 0) this.#named(name, standings);
    }
  }

  /** The comparison tells each one that was made late, and which record it equals. */
  #named(name: string, standings: readonly Standing[]): void {
    const { found } = this.#parts;
    const codes = new Set(standings.map(({ codigo }) => codigo));
    const [{ kind } = { kind: 'produto' }] = standings;
    const told = found.filter(
      (one) =>
        one.kind === kind && one.codigo === null && one.remoteCodigo !== null && codes.has(one.remoteCodigo),
    );
    const isDoubtful = found.some((one) => one.name === name && one.state === 'ambiguo');
    for (const { remoteCodigo, reason } of told) {
      this.late.push(`${name}: ${remoteCodigo}, ${reason}`);
      if (reason === null)
        this.problems.push(
          `${name}: ${remoteCodigo} foi feito tarde lá, e a comparação não diz a quem é igual`,
        );
    }
    if (told.length < standings.length - 1 && !isDoubtful)
      this.problems.push(`${name}: ${standings.length} vezes lá, e a comparação só nomeia ${told.length}`);
  }

  /** Each record stands as it must by what was done to it. */
  findAstray(): void {
    const { here, there, found, changes } = this.#parts;
    for (const one of found) {
      const { name, kind, state, reason } = one;
      if (kind === 'vinculo' || this.#lateNames.has(name)) continue;
      const allowed = allowedStates(changes.touched.get(name), here.records.has(name));
      if (allowed.includes(state) || isGoneBefore(one)) continue;
      this.problems.push(
        `${name}: ${state} (${reason}), e devia ser ${allowed.join(' ou ')}; ${JSON.stringify(changes.touched.get(name))}`,
      );
    }
    const told = new Map(found.map((one) => [`${one.kind} ${one.codigo}`, one]));
    for (const [name, [standing]] of here.records) {
      if (standing === undefined || this.#lateNames.has(name)) continue;
      const state = told.get(`${standing.kind} ${standing.codigo}`)?.state;
      if (state === undefined) this.problems.push(`${name}: a comparação não o conhece`);
      if (state !== 'igual') continue;
      const [other] = there.records.get(name) ?? [];
      // Of one that is deactivated here only that is sent, not what it became just before.
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

  /** What both sides agree on is untouched from now on. */
  settle(): void {
    const { found, changes, here, there } = this.#parts;
    for (const { name, state, kind } of found) {
      if (kind === 'vinculo') continue;
      if (state === 'igual') changes.touched.delete(name);
      else if (state !== 'mudouNosDois' && changes.touched.has(name))
        changes.touched.set(name, { here: false, there: true });
    }
    for (const [link, { there: isThere }] of changes.touchedLinks)
      if (here.links.has(link) === there.links.has(link) || !isThere) changes.touchedLinks.delete(link);
  }
}

function allowedStates(touched: Touched | undefined, isHere: boolean): readonly string[] {
  if (!isHere) return ['soLa'];
  if (touched === undefined) return ['igual'];
  if (touched.here && touched.there) return ['igual', 'mudouNosDois', 'mudouLa', 'desativadoLa'];
  return touched.there ? ['mudouLa', 'desativadoLa', 'igual'] : ['igual'];
}

/** Deactivated here before it was ever there: nothing is to be sent. */
const isGoneBefore = ({ state, reason }: Found): boolean =>
  state === 'naoEnviavel' && reason?.startsWith('desativado antes') === true;
