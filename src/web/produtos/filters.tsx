/** Filters of the product list, under the parameter names of the API. */
import { STANDING_WORDS } from '../../catalogue/members/standing.ts';
import type { Remote } from '../api/answers.ts';
import type { Filter } from '../kit/list/filters.tsx';
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

/** Also accepts an address that has the state in words. */
const situacaoNumber = (situacao: string): string =>
  SITUACOES.find(({ label }) => label.toUpperCase() === situacao.toUpperCase())?.value ?? situacao;

const capitals = (text: string): string => text.toUpperCase();
const without =
  (marks: RegExp) =>
  (text: string): string =>
    text.replaceAll(marks, '');

export const FILTERS: readonly Filter[] = [
  { name: 'denominacao', field: (it) => <Input label="Denominação" {...it} /> },
  { name: 'descricao', field: (it) => <Input label="Descrição" {...it} /> },
  {
    name: 'ncm',
    tidy: without(/\./g),
    field: (it) => <NcmCombobox label="NCM" takesBeginnings {...it} />,
  },
  { name: 'modalidade', field: (it) => <Select label="Modalidade" options={MODALIDADE_OPTIONS} {...it} /> },
  {
    // Found without its leading zeros, too.
    name: 'codigoInterno',
    asks: 'internalCode',
    field: (it) => <Input label="Códigos internos" code {...it} />,
  },
  { name: 'dataReferencia', field: (it) => <DayInput label="Como estava em" {...it} /> },
  {
    name: 'situacao',
    tidy: situacaoNumber,
    further: true,
    field: (it) => <Select label="Situação" options={[ANY, ...SITUACOES]} {...it} />,
  },
  {
    // Each in name, codes or the beginning of the NCM.
    name: 'text',
    tidy: unpointed,
    further: true,
    field: (it) => <Input label="Palavras" {...it} />,
  },
  {
    name: 'deadline',
    further: true,
    field: (it) => <DayInput label="Falta o exigido desde" {...it} />,
  },
  {
    name: 'lacks',
    tidy: capitals,
    further: true,
    field: (it) => <Input label="Falta o atributo" code placeholder="ATT_…" {...it} />,
  },
  {
    name: 'lacksFor',
    further: true,
    field: (it) => <Select label="Falta para" options={DUE_OPTIONS} {...it} />,
  },
  {
    name: 'codigo',
    further: true,
    field: (it) => <Input label="Código" code inputMode="numeric" {...it} />,
  },
  {
    name: 'paisOrigem',
    tidy: capitals,
    further: true,
    field: (it) => <Input label="País de origem" code placeholder="Sigla: CN" {...it} />,
  },
  {
    name: 'cpfCnpjFabricante',
    tidy: without(/[./-]/g),
    further: true,
    field: (it) => <Input label="Fabricante" code placeholder="CPF ou CNPJ" {...it} />,
  },
  {
    name: 'operadorEstrangeiroCodigo',
    further: true,
    field: (it) => <Input label="Operador" code placeholder="Código ou TIN" {...it} />,
  },
  ...[
    ['periodoRegistroInicio', 'Registrado de'],
    ['periodoRegistroFim', 'Registrado até'],
    ['ultimaAlteracaoInicio', 'Alterado de'],
    ['ultimaAlteracaoFim', 'Alterado até'],
  ].map(([name = '', label = '']): Filter => ({
    name,
    further: true,
    field: (it) => <DayInput label={label} {...it} />,
  })),
];

const STATES = [ANY, ...Object.entries(STANDING_WORDS).map(([value, label]) => ({ value, label }))];

/** Returns the filters by state at each remote of the company. Returns none without a remote. */
export const remoteFilters = (remotes: readonly Remote[]): readonly Filter[] => [
  {
    name: 'remote',
    further: true,
    field: (it) =>
      remotes.length === 0 ? (
        <></>
      ) : (
        <Select
          label="Remoto"
          options={[
            { value: '', label: 'Nenhum' },
            ...remotes.map(({ name }) => ({ value: name, label: name })),
          ]}
          {...it}
        />
      ),
  },
  {
    name: 'remoteState',
    further: true,
    field: (it) =>
      remotes.length === 0 ? <></> : <Select label="Estado no remoto" options={STATES} {...it} />,
  },
];
