/**
 * NCM field. It searches by code, words and attribute names, or the nomenclature if no table is in force. Any
 * eight digits are accepted.
 */
import { ncmWords } from '../../../catalogue/members/ncm-words.ts';
import type { Answer, FoundNcm, NcmWords } from '../../api/answers.ts';
import { useResource } from '../../api/use-resource.ts';
import { useNcmWords } from '../../api/use-ncm-words.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { type Bound, Input, type Labelled } from '../../ui/field.tsx';
import { NcmCombobox, useNcmSearch } from '../../ui/ncm-combobox.tsx';
import { NcmDescription, NcmEnd } from '../../ui/ncm.tsx';
import type { Option } from '../../ui/select.tsx';
import { withCount, ncmDigits, ncmText } from '../../words.ts';

const MATCHES_MAX = 50;

export function NcmField(props: Omit<Labelled, 'label'> & Bound<string> & { readonly hasTable: boolean }) {
  const { hasTable, ...fieldProps } = props;
  const code = ncmDigits(fieldProps.value);
  const bound = useNcmWords([code]).has(code)
    ? { ...fieldProps, help: <NcmHelp ncm={code} further={fieldProps.help} /> }
    : fieldProps;
  const { searchText, matchesSearch, isAnswered, onSearch, isCode } = useNcmSearch();
  const results = useResource<Answer<'listNcms'>>(
    hasTable && searchText !== undefined ? '/appliance/api/ncms' : undefined,
    { query: { search: searchText, limit: MATCHES_MAX } },
  );
  const items = (results.value?.items ?? []).filter(({ ncm }) => matchesSearch(ncm));
  const words = useNcmWords(results.value?.items.map(({ ncm }) => ncm) ?? []);
  if (bound.disabled === true)
    return <Input {...bound} label="NCM" code inputMode="numeric" placeholder="8 algarismos" />;
  if (!hasTable) return <NcmCombobox {...bound} label="NCM" />;
  const isReady = isAnswered(results.isLoading);
  return (
    <Combobox
      {...bound}
      label="NCM"
      free
      pending={!isReady}
      placeholder="Código, palavras, ou nome de um atributo"
      options={isReady || isCode ? items.map((item) => optionOf(item, words.get(item.ncm))) : []}
      onSearch={onSearch}
    />
  );
}

/** Description of the NCM, its end date, and further help for the field. */
const NcmHelp = ({ ncm, further }: { readonly ncm: string; readonly further: Labelled['help'] }) => (
  <>
    <NcmDescription code={ncm} />
    <span class="ncm-end">
      <NcmEnd code={ncm} />
    </span>{' '}
    {further}
  </>
);

function optionOf({ ncm, attributes, required, matched }: FoundNcm, words: NcmWords | undefined): Option {
  const names = matched.map(({ nomeApresentacao }) => nomeApresentacao).join(', ');
  const asks = `${withCount(attributes, 'atributo', 'atributos')}, ${withCount(required, 'obrigatório', 'obrigatórios')}`;
  return {
    value: ncm,
    label: ncm,
    code: ncmText(ncm),
    hint: [...(words === undefined ? [] : [ncmWords(words)]), names === '' ? asks : `${asks}: ${names}`].join(
      ' · ',
    ),
  };
}
