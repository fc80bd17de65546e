/** Terminal colours. `PLAIN` leaves the text unchanged, for output without a terminal or without colours. */
export type Paint = (text: string) => string;

export interface Colours {
  readonly good: Paint;
  readonly notice: Paint;
  readonly bad: Paint;
  readonly strong: Paint;
  readonly faint: Paint;
}

const paint =
  (on: number, off: number): Paint =>
  (text) =>
    `\u001B[${on}m${text}\u001B[${off}m`;

const DEFAULT = 39;
const NORMAL = 22;

export const COLOURED: Colours = {
  good: paint(32, DEFAULT),
  notice: paint(33, DEFAULT),
  bad: paint(31, DEFAULT),
  strong: paint(1, NORMAL),
  faint: paint(2, NORMAL),
};

const asItIs: Paint = (text) => text;
export const PLAIN: Colours = {
  good: asItIs,
  notice: asItIs,
  bad: asItIs,
  strong: asItIs,
  faint: asItIs,
};
