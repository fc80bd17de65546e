/** The output of an import: a bar on a terminal, plain lines elsewhere. */
import type { ItemProblem } from '../errors.ts';
import { ITEM_OUTCOMES, type ItemCounts, type ItemResult } from '../catalogue/import/model.ts';
import { formatValue } from '../validation/format-value.ts';
import { withCount } from '../validation/text.ts';
import { LiveLine, type Terminal } from './live-line.ts';

const BAR_CHARACTERS = 30;
/** The least time between two drawings: more would flicker. */
const REDRAW_MS = 100;
/** The time between two plain lines. */
const LINE_MS = 5000;
/** Maximum number of refused items shown. The file of `--erros` lists all of them. */
const REFUSALS_MAX = 20;

const inPortuguese = new Intl.NumberFormat('pt-BR');
const count = (number: number): string => inPortuguese.format(number);

export class ImportDisplay extends LiveLine {
  readonly #started: number;
  readonly #counts = { created: 0, newVersion: 0, deactivated: 0, unchanged: 0, failed: 0 };
  /** The number of items with notices, for example about a member that was left out. */
  #itemsWithNotices = 0;
  #total = 0;
  #processed = 0;
  #drawnAt: number;
  /** The items are rows of a spreadsheet. */
  readonly #isOfSheet: boolean;

  constructor(terminal: Terminal, stopwatch: () => number, isOfSheet: boolean) {
    super(terminal, stopwatch);
    this.#isOfSheet = isOfSheet;
    this.#started = this.#drawnAt = stopwatch();
  }

  get failed(): number {
    return this.#counts.failed;
  }

  /** Begins the display. `before`: the counts of an earlier, interrupted command. */
  begin(total: number, before: ItemCounts | undefined): void {
    this.#total = total;
    this.printLine(`${this.#counted(total)}.`);
    if (before === undefined) return;
    const { processed, ...counts } = before;
    this.#processed = processed;
    for (const outcome of ITEM_OUTCOMES) this.#counts[outcome] = counts[outcome];
    this.printLine(`Retomada depois de ${this.#position()}.`);
  }

  add(results: readonly ItemResult[]): void {
    for (const result of results) {
      this.#counts[result.outcome] += 1;
      this.#processed += 1;
      if (result.outcome === 'failed' && this.failed <= REFUSALS_MAX) this.#refusal(result);
      if (result.notices.length > 0) this.#notices(result);
    }
    if (this.stopwatch() - this.#drawnAt >= (this.isLive ? REDRAW_MS : LINE_MS)) this.#draw();
  }

  end({ dryRun, interrupted }: { readonly dryRun: boolean; readonly interrupted: boolean }): void {
    const { created, newVersion, deactivated, unchanged, failed } = this.#counts;
    const more = failed - REFUSALS_MAX;
    if (more > 0)
      this.printLine(
        `… e mais ${this.#isOfSheet ? withCount(more, 'linha recusada', 'linhas recusadas') : withCount(more, 'item recusado', 'itens recusados')}; use --erros para ver tudo.`,
      );
    if (this.#itemsWithNotices > 0)
      this.printLine(
        `${this.#counted(this.#itemsWithNotices)} com ${this.#isOfSheet ? 'avisos' : 'membros desconhecidos, ignorados'}.`,
      );
    if (interrupted)
      this.printLine(
        `Interrompida depois de ${this.#position()}; o que foi gravado permanece, e --resume continua de onde parou.`,
      );
    const seconds = inPortuguese.format(Math.round((this.stopwatch() - this.#started) / 100) / 10);
    this.printLine(
      `${this.#counted(this.#processed)} em ${seconds} s: ${withCount(created, 'incluído')}, ${count(newVersion + deactivated)} com nova versão ou mudança, ${withCount(unchanged, 'inalterado')}, ${count(failed)} com erro.`,
    );
    if (dryRun) this.printLine('Simulação: nada foi gravado.');
  }

  refuse(file: string, reason: string): void {
    this.printLine(`catp: ${file} não pode ser lido: ${reason}`);
    this.printLine(
      this.#processed === 0
        ? 'Nada foi gravado.'
        : `${this.#position()} já tinham sido gravados e permanecem.`,
    );
  }

  #refusal({ index, errors, problems, name, file, line }: ItemResult): void {
    const nameText = name === null ? '' : ` (${formatValue(name)})`;
    const item = this.#isOfSheet ? '' : `, item ${index + 1}`;
    const sentences = errors.map((error, position) => `${cellOf(problems[position])}${error}`);
    this.printLine(`${file}, linha ${line}${nameText}${item}: ${sentences.join(' ')}`);
  }

  /** Prints the notices of the first item: the others mostly have the same ones. */
  #notices({ file, line, notices }: ItemResult): void {
    this.#itemsWithNotices += 1;
    if (this.#itemsWithNotices > 1) return;
    for (const { path, message } of notices)
      this.printLine(`${file}, linha ${line}: ${message}${path === '' ? '' : ` (${path})`}`);
  }

  #counted(number: number): string {
    return this.#isOfSheet ? withCount(number, 'linha') : withCount(number, 'item', 'itens');
  }

  #position(): string {
    return `${count(this.#processed)} de ${this.#counted(this.#total)}`;
  }

  #draw(): void {
    this.#drawnAt = this.stopwatch();
    const errors = this.failed === 0 ? '' : `, ${count(this.failed)} com erro`;
    if (!this.isLive) return this.printLine(`${this.#position()}${errors}`);
    const share = this.#total === 0 ? 1 : this.#processed / this.#total;
    const filled = Math.round(share * BAR_CHARACTERS);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARACTERS - filled);
    this.writeOver(`${bar} ${Math.floor(100 * share)} % · ${this.#position()}${errors}`);
  }
}

const cellOf = (problem: ItemProblem | undefined): string =>
  problem?.cell === undefined ? '' : `${problem.cell} `;
