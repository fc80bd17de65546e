/** Filters of the product list, under the parameter names of the API. */
import { STANDING_WORDS } from '../../catalogue/members/standing.ts';
import type { Remote } from '../api/answers.ts';
import type { Filter, FilterBinding } from '../kit/list/filters.tsx';
import { DayInput } from '../ui/typed-input.tsx';
import { Input } from '../ui/field.tsx';
import { NcmCombobox } from '../ui/ncm-combobox.tsx';
import { Select } from '../ui/select.tsx';
import { unpointed } from '../words.ts';
import { MODALIDADES } from './product.ts';

const ANY = { value: '', label: 'Qualquer' } as const;
const MODALIDADE_OPTIONS = [ANY, ...Object.entries(MODALIDADES).map(([value, label]) => ({ value, label }))];

/** Missing data is determined per modality, so `AMBOS` is not an option. */
const DUE_OPTIONS = MODALIDADE_OPTIONS.filter(({ value }) => value !== 'AMBOS');

/** Numbers of the API (specification, States). */
const SITUACOES = [
  { value: '0', label: 'Ativado' },
  { value: '1', label: 'Desativado' },
  { value: '2', label: 'Rascunho' },
] as const;

const REPEATS = [
  ANY,
  { value: 'conteudo', label: 'Mesmo conteúdo' },
  { value: 'denominacao', label: 'Mesma denominação' },
  { value: 'codigoInterno', label: 'Mesmo código interno' },
] as const;

/** Returns the number of a situation. An address may have the number or the word. */
const situacaoNumber = (situacao: string): string =>
  SITUACOES.find(({ label }) => label.toUpperCase() === situacao.toUpperCase())?.value ?? situacao;

const capitals = (text: string): string => text.toUpperCase();
const without =
  (marks: RegExp) =>
  (text: string): string =>
    text.replaceAll(marks, '');

/** Filters that the user adds. Each name is a parameter of the API. */
const ADDED: readonly Omit<Filter, 'offer'>[] = [
  { name: 'denominacao', label: 'Denominação', field: (binding) => <Input {...binding} /> },
  { name: 'descricao', label: 'Descrição', field: (binding) => <Input {...binding} /> },
  {
    name: 'ncm',
    label: 'NCM',
    normalize: without(/\./g),
    field: (binding) => <NcmCombobox acceptsPrefixes {...binding} />,
  },
  {
    name: 'modalidade',
    label: 'Modalidade',
    field: (binding) => <Select options={MODALIDADE_OPTIONS} {...binding} />,
  },
  {
    name: 'situacao',
    label: 'Situação',
    normalize: situacaoNumber,
    field: (binding) => <Select options={[ANY, ...SITUACOES]} {...binding} />,
  },
  {
    // Finds a code without its leading zeros, too.
    name: 'codigoInterno',
    label: 'Códigos internos',
    parameter: 'internalCode',
    field: (binding) => <Input code {...binding} />,
  },
  { name: 'codigo', label: 'Código', field: (binding) => <Input code inputMode="numeric" {...binding} /> },
  { name: 'repeated', label: 'Repetidos', field: (binding) => <Select options={REPEATS} {...binding} /> },
  { name: 'dataReferencia', label: 'Como estava em', field: (binding) => <DayInput {...binding} /> },
  { name: 'deadline', label: 'Falta o exigido desde', field: (binding) => <DayInput {...binding} /> },
  {
    name: 'lacks',
    label: 'Falta o atributo',
    normalize: capitals,
    field: (binding) => <Input code placeholder="ATT_…" {...binding} />,
  },
  {
    name: 'lacksFor',
    label: 'Falta para',
    field: (binding) => <Select options={DUE_OPTIONS} {...binding} />,
  },
  {
    name: 'paisOrigem',
    label: 'País de origem',
    normalize: capitals,
    field: (binding) => <Input code placeholder="Sigla: CN" {...binding} />,
  },
  {
    name: 'cpfCnpjFabricante',
    label: 'Fabricante',
    normalize: without(/[./-]/g),
    field: (binding) => <Input code placeholder="CPF ou CNPJ" {...binding} />,
  },
  {
    name: 'operadorEstrangeiroCodigo',
    label: 'Operador',
    field: (binding) => <Input code placeholder="Código ou TIN" {...binding} />,
  },
  ...[
    ['periodoRegistroInicio', 'Registrado de'],
    ['periodoRegistroFim', 'Registrado até'],
    ['ultimaAlteracaoInicio', 'Alterado de'],
    ['ultimaAlteracaoFim', 'Alterado até'],
  ].map(([name = '', label = '']) => ({
    name,
    label,
    field: (binding: FilterBinding) => <DayInput {...binding} />,
  })),
];

export const FILTERS: readonly Filter[] = [
  {
    // Searches each word in the name, the codes and the beginning of the NCM.
    name: 'text',
    label: 'Palavras',
    normalize: unpointed,
    field: (binding) => <Input type="search" placeholder="nome, código ou NCM" {...binding} />,
  },
  ...ADDED.map((filter): Filter => ({ ...filter, offer: 'added' })),
];

const STATES = [ANY, ...Object.entries(STANDING_WORDS).map(([value, label]) => ({ value, label }))];

/** Returns the filters by state at each remote of the company. They are not offered without a remote. */
export const remoteFilters = (remotes: readonly Remote[]): readonly Filter[] => {
  const offer = remotes.length === 0 ? 'hidden' : 'added';
  const names = remotes.map(({ name }) => ({ value: name, label: name }));
  return [
    {
      name: 'remote',
      label: 'Remoto',
      offer,
      field: (binding) => <Select options={[{ value: '', label: 'Nenhum' }, ...names]} {...binding} />,
    },
    {
      name: 'remoteState',
      label: 'Estado no remoto',
      offer,
      field: (binding) => <Select options={STATES} {...binding} />,
    },
  ];
};
