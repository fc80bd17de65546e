/** Schemas shared by the records of the catalogue (contract sections 3 and 4). */
import { isDay } from '../validation/calendar.ts';
import type { Repeats } from '../validation/decoding.ts';
import { choice, formOf, nullable, text, integerForm } from '../validation/forms.ts';
import { momentOf } from '../validation/moment.ts';
import { STANDING_STATES } from './members/standing.ts';
import { t } from '../validation/type.ts';

/**
 * Options of record schemas: an unknown member is refused, a number in a text member is accepted as its
 * digits.
 */
export const strict = { additionalProperties: false, 'x-digits': true } as const;
export const strictForm = formOf(strict);

/**
 * Returns the members of a response that a client may send back (contract section 3); `seq` is never
 * checked.
 */
export const repeatsOf = (
  place: Readonly<Record<string, string | number>>,
  others: Repeats = {},
): Repeats => ({
  seq: [],
  ...Object.fromEntries(Object.entries(place).map(([name, value]) => [name, [value]])),
  ...others,
});

/** Returns the same members for an inclusion. */
export const repeatsOfNew = (place: Readonly<Record<string, string>>, situacao = 'ATIVADO'): Repeats =>
  repeatsOf(place, { versao: ['1'], situacao: [situacao] });

export const DayText = t.String({
  format: 'date',
  description: 'Dia no formato yyyy-MM-dd.',
  'x-check': isDay,
  'x-domain': 'um dia existente no formato yyyy-MM-dd',
  examples: ['2026-01-02'],
});

/** `dataReferencia` of a body or a file: a moment counts as its day (contract section 4). */
export const ReferenceDay = { ...DayText, 'x-day': true };

export const CountryCode = text('País, ISO 3166-1 alfa-2.', 'DE', {
  pattern: '^[A-Z]{2}$',
  'x-code': true,
  'x-domain': '2 letras maiúsculas (ISO 3166)',
});

/** Highest `seq` of an item, by origin: a batch ends at 999, a file may be longer. */
export const SEQ_MAX = { batch: 999, file: Number.MAX_SAFE_INTEGER } as const;

/** Path parameter of the exports. */
export const ShowDeactivated = t.Boolean({ description: 'true: com os desativados.', examples: [false] });

/** Returns the schema of `seq` in a sent item. */
export const itemSeq = (maximum: number) =>
  integerForm('Número do item, um para cada; volta no resultado.', 1, { minimum: 1, maximum });

/** `seq` of a record in a list or an export. */
export const ListedSeq = integerForm('Posição na lista, a partir de 1.', 1, { minimum: 1 });

/** Options of items: unknown members are errors of the item, except these two, which other systems send. */
export const itemOptions = { ...strict, 'x-ignored': ['inicioVigencia', 'fimVigencia'] };

/** Configured name of another server with this interface (contract section 18). */
export const RemoteName = text('Nome do remoto.', 'portal', {
  minLength: 1,
  maxLength: 40,
  pattern: '^[a-z0-9-]+$',
  'x-domain': 'letras minúsculas, dígitos e hífens',
});

/** Reported state of a record at the remote. */
export const STANDING_MEMBERS = {
  remoteCodigo: nullable(text('O código de lá; null: não está lá, ou não se sabe.', '7')),
  remoteVersao: nullable(text('A versão de lá, onde se sabe.', '1')),
  state: choice(
    STANDING_STATES,
    'Como está: o que a última comparação achou, com o que os envios fizeram e o que mudou aqui desde então.',
  ),
  since: momentOf('Desde quando se sabe.'),
};
