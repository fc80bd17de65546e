/** The NCM, found by its code, by its words or by what its attributes are called; without a table any eight digits. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Answer, FoundNcm, NcmWords } from '../../api/answers.ts';
import { useResource } from '../../api/use-resource.ts';
import { useNcmWords } from '../../api/use-ncm-words.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { type Bound, Input, type Labelled } from '../../ui/field.tsx';
import { NcmDescription, NcmEnd, ncmWords } from '../../ui/ncm.tsx';
import type { Option } from '../../ui/select.tsx';
import { counted, ncmText } from '../../words.ts';
import { ncmDigits } from './form-values.ts';

/** Between two keys of somebody who types. */
const PAUSE_MS = 150;
const SHOWN = 50;

export function NcmField({
  hasTable,
  ...given
}: Omit<Labelled, 'label'> & Bound<string> & { readonly hasTable: boolean }): JSX.Element {
  const code = ncmDigits(given.value);
  const bound = useNcmWords([code]).has(code)
    ? { ...given, help: <Said of={code} also={given.help} /> }
    : given;
  const [search, setSearch] = useState<string>();
  const asked = useLater(search);
  const found = useResource<Answer<'listNcms'>>(
    hasTable && asked !== undefined ? '/appliance/api/ncms' : undefined,
    { query: { search: asked, limit: SHOWN } },
  );
  // What was found for other words is no answer to these: Enter would choose it. The beginning of a code tells by itself.
  const isAnswered = asked === search && !found.loading;
  const items = (found.value?.items ?? []).filter(({ ncm }) => isMeantBy(search, ncm));
  const words = useNcmWords(found.value?.items.map(({ ncm }) => ncm) ?? []);
  if (!hasTable || bound.disabled === true)
    return <Input {...bound} label="NCM" code inputMode="numeric" placeholder="8 algarismos" />;
  return (
    <Combobox
      {...bound}
      label="NCM"
      free
      placeholder="Código, palavras, ou nome de um atributo"
      options={isAnswered || isCode(search) ? items.map((item) => optionOf(item, words.get(item.ncm))) : []}
      onSearch={setSearch}
    />
  );
}

/** What it is, whether it ends, and what else there is to say of the field. */
const Said = ({ of, also }: { readonly of: string; readonly also: Labelled['help'] }): JSX.Element => (
  <>
    <NcmDescription code={of} />
    <span class="ncm-end">
      <NcmEnd code={of} />
    </span>{' '}
    {also}
  </>
);

const isCode = (search = ''): boolean => /^\d+$/.test(ncmDigits(search));

const isMeantBy = (search = '', ncm: string): boolean => !isCode(search) || ncm.startsWith(ncmDigits(search));

function optionOf({ ncm, attributes, required, matched }: FoundNcm, words: NcmWords | undefined): Option {
  const names = matched.map(({ nomeApresentacao }) => nomeApresentacao).join(', ');
  const asks = `${counted(attributes, 'atributo', 'atributos')}, ${counted(required, 'obrigatório', 'obrigatórios')}`;
  return {
    value: ncm,
    label: ncm,
    code: ncmText(ncm),
    hint: [...(words === undefined ? [] : [ncmWords(words)]), names === '' ? asks : `${asks}: ${names}`].join(
      ' · ',
    ),
  };
}

function useLater(text: string | undefined): string | undefined {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
