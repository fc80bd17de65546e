/** Returns the member columns of a template: the requirement and the accepted form of each. */
import type { FormColumn } from '../../../sheet/form.ts';
import type { CatalogueRules } from '../../../validation/company.ts';
import { withCount } from '../../../validation/text.ts';
import type { ImportKind } from '../../import/model.ts';
import type { Member } from '../../members/member.ts';
import { PRODUCT } from '../../members/product.ts';
import { modalidadesOf } from '../../product/model.ts';
import { COLUMNS, MEMBERS } from '../kinds.ts';

/**
 * Members that only a correction of existing records needs. With a column of codes, rows without a code would
 * be new records each time.
 */
const OMITTED_MEMBERS = new Set([
  'cpfCnpjRaiz',
  'codigo',
  'versao',
  'situacao',
  'dataReferencia',
  'vincular',
]);

/** Examples that the form of the member does not give. */
const EXAMPLES: Readonly<Record<string, string>> = {
  codigoProduto: '1',
  conhecido: 'Sim',
  // A manufacturer abroad has none.
  cpfCnpjFabricante: '',
  identificacoesAdicionais: '123456789:16',
};

/** Returns the columns. `examples`: those of this template, by member. */
export function memberColumns(
  tipo: ImportKind,
  rules: Pick<CatalogueRules, 'denominacaoMax' | 'nomeMax' | 'modalidadeAmbos'>,
  examples: Readonly<Record<string, string>>,
): readonly FormColumn[] {
  return COLUMNS[tipo]
    .filter(({ target }) => !OMITTED_MEMBERS.has(target) && target in MEMBERS[tipo])
    .map(({ target, heading, isRequired = false, isMany = false }) => {
      const member = MEMBERS[tipo][target] as Member; // a test checks each target
      const choices = target === 'modalidade' ? modalidadesOf(rules).map(modalidadeWords) : choicesOf(member);
      return {
        heading,
        isRequired,
        choices,
        takesMany: isMany || member.kind === 'identifications',
        need: isRequired ? 'Obrigatória' : 'Opcional',
        form: formOf(member, typeof member.max === 'string' ? rules[member.max] : member.max),
        about: member.description ?? '',
        example: examples[target] ?? EXAMPLES[target] ?? member.example ?? '',
      };
    });
}

const modalidadeWords = (modalidade: keyof typeof PRODUCT.modalidade.choices): string =>
  PRODUCT.modalidade.choices[modalidade];

const choicesOf = ({ kind }: Member): readonly string[] => (kind === 'boolean' ? ['Sim', 'Não'] : []);

function formOf({ kind, domain }: Member, max: number | undefined): string {
  const size = max === undefined ? '' : `, até ${withCount(max, 'caractere')}`;
  switch (kind) {
    case 'boolean':
      return 'Sim ou Não.';
    case 'choice':
      return 'Um valor da lista.';
    case 'country':
      return 'O código do país, de duas letras, ou seu nome.';
    case 'number':
      return 'O código do produto no catálogo.';
    case 'codes':
      return `Códigos${size}; vários separados por |.`;
    case 'identifications':
      return 'Número e agência separados por dois-pontos; várias separadas por |.';
    case 'code':
      return `${domain === undefined ? 'Código' : `Código: ${domain}`}${size}.`;
    default:
      return `Texto${size}.`;
  }
}
