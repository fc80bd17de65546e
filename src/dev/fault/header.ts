/** Reads the header that requests a fault for its own request (contract section 15). */
import { type DomainError, malformed } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import { DELAY_MAX_MS, TRUNCATE_MAX_BYTES } from './forms.ts';
import { BODILESS_STATUSES, FAULT_HEADER, FAULT_KINDS, type Fault, type FaultKind } from './model.ts';

/** Parses `status=503`, `delay=2000`, `drop`, `truncate=100`, … Throws 400. */
export function parseFaultHeader(text: string): Fault {
  const [, word = '', digits] = /^([a-z-]+)(?:=(\d{1,10}))?$/.exec(text.trim()) ?? [];
  const kind = FAULT_KINDS.find((one) => one === word);
  if (kind === undefined) throw refusal(text);
  const number = digits === undefined ? undefined : Number(digits);
  const within = (least: number, most: number): number => {
    if (number === undefined || number < least || number > most) throw refusal(text);
    return number;
  };
  switch (kind) {
    case 'status':
      return { kind, status: withBody(within(200, 599), text) };
    case 'delay':
      return { kind, ms: within(0, DELAY_MAX_MS) };
    case 'truncate':
      return { kind, bytes: within(0, TRUNCATE_MAX_BYTES) };
    default:
      if (number !== undefined) throw refusal(text);
      return { kind };
  }
}

function withBody(status: number, text: string): number {
  if (BODILESS_STATUSES.includes(status)) throw refusal(text);
  return status;
}

const WITH_NUMBER: Readonly<Partial<Record<FaultKind, string>>> = {
  status: 'status=N (200 a 599, menos 204, 205 e 304)',
  delay: `delay=N (milissegundos, até ${DELAY_MAX_MS})`,
  truncate: 'truncate=N (bytes)',
};
const FORMS = FAULT_KINDS.map((kind) => WITH_NUMBER[kind] ?? kind).join(', ');

function refusal(text: string): DomainError {
  return malformed([
    fieldProblem(FAULT_HEADER, `recebido ${formatValue(text)}; aceita ${FORMS}.`, FAULT_HEADER),
  ]);
}
