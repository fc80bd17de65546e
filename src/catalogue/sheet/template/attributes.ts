/** Returns the attribute columns of an NCM for a template: the requirements of the table in force. */
import type { FormColumn } from '../../../sheet/form.ts';
import { withCount } from '../../../validation/text.ts';
import type { AttributeNote, FormaPreenchimento, NcmGuide } from '../../attribute/words/model.ts';
import { attributeMember } from '../../members/product.ts';
import { attributeHeading, attributeText, attributeTexts, choiceTexts } from '../../product/values.ts';

/** An attribute, or a part with its compound. */
interface TemplateAttribute {
  readonly note: AttributeNote;
  readonly compound: AttributeNote | undefined;
}

/** Returns the columns. `showsBothModalities`: no modality was chosen, so they show the requirements of each. */
export function attributeColumns(
  requirements: NcmGuide,
  showsBothModalities: boolean,
): readonly FormColumn[] {
  const { notes, example } = requirements;
  const compounds = new Map(notes.flatMap((note) => (note.composto === null ? [[note.atributo, note]] : [])));
  const attributes = new Map(
    notes.map((note): [string, TemplateAttribute] => {
      const compound = note.composto === null ? undefined : compounds.get(note.composto);
      return [memberOf(note), { note, compound }];
    }),
  );
  const exampleTexts = attributeTexts(example, (valor, codigo, part) =>
    attributeText(valor, attributes.get(attributeMember(codigo, part))?.note),
  );
  const examples = new Map(
    [...exampleTexts].map(({ codigo, part, text }) => [attributeMember(codigo, part), text]),
  );
  return [...attributes]
    .filter(([, { note }]) => note.formaPreenchimento !== 'COMPOSTO')
    .map(([member, attribute]) => ({
      ...columnOf(attribute),
      need: needOf(attribute, showsBothModalities ? requirements.ofModality : undefined),
      example: examples.get(member) ?? '',
    }));
}

const memberOf = ({ atributo, composto }: AttributeNote): string =>
  composto === null ? attributeMember(atributo) : attributeMember(composto, atributo);

const MANY: readonly string[] = ['atributosMultivalorados', 'atributosCompostosMultivalorados'];

function columnOf({ note, compound }: TemplateAttribute): Omit<FormColumn, 'need' | 'example'> {
  const ownName = { codigo: note.atributo, name: note.nomeApresentacao };
  const takesMany = MANY.includes((compound ?? note).lista);
  return {
    heading:
      compound === undefined
        ? attributeHeading(ownName)
        : attributeHeading({ codigo: compound.atributo, name: compound.nomeApresentacao }, ownName),
    isRequired: [note, compound ?? note].every(
      ({ obrigatorio, condicao }) => obrigatorio && condicao === null,
    ),
    form: `${formOf(note)}${takesMany ? ' Vários valores separados por |.' : ''}`,
    about: [...new Set([note.orientacaoPreenchimento, note.definicao])].filter(Boolean).join(' '),
    choices: choiceTexts(note),
    takesMany,
  };
}

const MODALITIES = [
  ['IMPORTACAO', 'na importação'],
  ['EXPORTACAO', 'na exportação'],
] as const;

/**
 * Returns the requirement text.
 * `ofModality`: the requirements of each modality, if the text must show them.
 */
function needOf(
  { note, compound }: TemplateAttribute,
  ofModality: NcmGuide['ofModality'] | undefined,
): string {
  if (note.condicao !== null)
    return `${note.obrigatorio ? 'Obrigatório' : 'Opcional'} quando ${note.condicao}`;
  if (compound?.obrigatorio === false && note.obrigatorio)
    return `Obrigatório onde ${compound.nomeApresentacao} é informado`;
  const top = memberOf(compound ?? note);
  const modalitiesWith = (matches: (attributeNote: AttributeNote) => boolean): readonly string[] =>
    MODALITIES.filter(([modality]) =>
      ofModality?.[modality].some((candidate) => memberOf(candidate) === top && matches(candidate)),
    ).map(([, words]) => words);
  const [only = '', ...others] = note.obrigatorio
    ? modalitiesWith(({ obrigatorio }) => obrigatorio)
    : modalitiesWith(() => true);
  const onlyModality = others.length > 0 ? '' : only;
  if (note.obrigatorio) return `Obrigatório ${onlyModality}`.trim();
  return onlyModality === '' ? 'Opcional' : `Opcional, só ${onlyModality}`;
}

const FORMS: Partial<Readonly<Record<FormaPreenchimento, string>>> = {
  BOOLEANO: 'Sim ou Não',
  DATA: 'Data, dd/mm/aaaa',
  DATA_HORA: 'Data e hora, dd/mm/aaaa hh:mm',
  NUMERO_INTEIRO: 'Número inteiro',
  NUMERO_REAL: 'Número, com vírgula',
};

function formOf({
  formaPreenchimento,
  dominio,
  tamanhoMaximo,
  casasDecimais,
  mascara,
}: AttributeNote): string {
  if (dominio.length > 0) return 'Um valor da lista, ou seu código.';
  const isNumber = formaPreenchimento === 'NUMERO_INTEIRO' || formaPreenchimento === 'NUMERO_REAL';
  const parts = [
    FORMS[formaPreenchimento] ?? 'Texto',
    tamanhoMaximo === null ? '' : `até ${withCount(tamanhoMaximo, isNumber ? 'algarismo' : 'caractere')}`,
    casasDecimais === null ? '' : `até ${withCount(casasDecimais, 'casa decimal', 'casas decimais')}`,
    mascara === null ? '' : `na forma ${mascara} (9 é um algarismo, A uma letra, X qualquer caractere)`,
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}
