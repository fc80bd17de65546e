/**
 * Builds example values for the attributes of an NCM, for users who still have to fill them in (contract
 * section 24).
 */
import type { Day } from '../../../clock.ts';
import { ATTRIBUTE_CODES } from '../words/codes.ts';
import type { AttributeLists, AttributeNote, Modalidade, NcmGuide } from '../words/model.ts';
import {
  type AttributeValues,
  NO_VALUES,
  type ListedAttribute,
  listsOf,
  withGroups,
  withValues,
} from '../words/values.ts';
import type { PreparedAttribute, PreparedNcm } from './prepare.ts';
import { check } from './rules.ts';
import { skeleton } from './skeleton.ts';
import { valueFaults } from './value.ts';

/** Rules that more values can satisfy; all others concern the present values. */
const MISSING_VALUE_RULES: ReadonlySet<string> = new Set(
  (['requiredMissing', 'conditionalMissing', 'subattributeMissing'] as const).map(
    (rule) => ATTRIBUTE_CODES[rule].code,
  ),
);

/**
 * Returns the notes and an example for a modality; without one, the notes of both and an example of the
 * first.
 */
export function guideOf(prepared: PreparedNcm, day: Day, modalidade?: Modalidade): NcmGuide {
  const notesOf = (modality: Modalidade) => skeleton(prepared, day, modality).notes;
  return {
    notes: notesOf(modalidade ?? 'AMBOS'),
    ofModality: { IMPORTACAO: notesOf('IMPORTACAO'), EXPORTACAO: notesOf('EXPORTACAO') },
    example: exampleLists(prepared, day, modalidade ?? 'IMPORTACAO'),
  };
}

/**
 * Returns an accepted value for every attribute that may be present together with those before it. An
 * attribute whose condition does not hold gets none.
 */
function exampleLists(prepared: PreparedNcm, day: Day, modalidade: Modalidade): AttributeLists {
  const { notes } = skeleton(prepared, day, modalidade);
  const attributes = notes
    .filter(({ composto }) => composto === null)
    .map(({ atributo, lista, formaPreenchimento: forma }): ListedAttribute => {
      const subnotes = notes.filter(({ composto }) => composto === atributo);
      const parts = new Map(subnotes.map((part) => [part.atributo, part.formaPreenchimento]));
      return { codigo: atributo, list: lista, forma, parts };
    });
  const isAcceptable = (values: AttributeValues): boolean =>
    check(prepared, day, modalidade, listsOf(values, attributes)).every(({ code }) =>
      MISSING_VALUE_RULES.has(code),
    );
  let values = NO_VALUES;
  // Two passes: an attribute may come before the one that conditions it.
  for (const note of [...notes, ...notes]) {
    const value = exampleValue(attributeOf(prepared, note), day);
    if (value === undefined || hasValue(values, note)) continue;
    const extended = withExample(values, note, value);
    if (isAcceptable(extended)) values = extended;
  }
  return listsOf(values, attributes);
}

function attributeOf(
  { scope }: PreparedNcm,
  { atributo, composto }: AttributeNote,
): PreparedAttribute | undefined {
  const scopeOfNote = composto === null ? scope : scope.byCode.get(composto)?.attribute.subattributes;
  return scopeOfNote?.byCode.get(atributo)?.attribute;
}

const groupOf = ({ groups }: AttributeValues, composto: string) => groups[composto]?.[0];

const hasValue = (values: AttributeValues, { atributo, composto }: AttributeNote): boolean =>
  (composto === null ? values.values[atributo] : groupOf(values, composto)?.[atributo]) !== undefined;

const withExample = (values: AttributeValues, { atributo, composto }: AttributeNote, value: string) =>
  composto === null
    ? withValues(values, atributo, [value])
    : withGroups(values, composto, [{ ...groupOf(values, composto), [atributo]: value }]);

/** Returns the first value that the attribute's own rules accept. */
function exampleValue(attribute: PreparedAttribute | undefined, day: Day): string | undefined {
  if (attribute === undefined || attribute.subattributes !== undefined) return undefined;
  const { detail, value: rule } = attribute;
  const [first] = detail.dominio;
  const masked = detail.mascara === undefined ? [] : [filledMask(detail.mascara)];
  const candidates = first === undefined ? [...masked, ...plainValues(rule.forma, day)] : [first.codigo];
  return candidates
    .flatMap((text) => [text, Array.from(text).slice(0, rule.maxSize).join('')])
    .find((text) => valueFaults(rule, text).length === 0);
}

function plainValues(forma: AttributeNote['formaPreenchimento'], day: Day): readonly string[] {
  switch (forma) {
    case 'BOOLEANO':
      return ['true'];
    case 'DATA':
      return [day];
    case 'DATA_HORA':
      return [`${day}T10:30:00`];
    case 'NUMERO_INTEIRO':
      return ['10', '1'];
    case 'NUMERO_REAL':
      return ['1.5', '1'];
    default:
      return ['Exemplo'];
  }
}

/** Returns a text that matches the mask. */
function filledMask(mask: string): string {
  let digit = 0;
  return mask.replaceAll(/[9AX]/g, (place) => (place === '9' ? String((digit += 1) % 10) : place));
}
