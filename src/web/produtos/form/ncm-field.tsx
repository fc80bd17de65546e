/** The NCM, found by its code or by what its attributes are called; without a table any eight digits. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Answer, FoundNcm } from '../../api/answers.ts';
import { useResource } from '../../api/use-resource.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { type Bound, Input, type Labelled } from '../../ui/field.tsx';
import type { Option } from '../../ui/select.tsx';
import { counted, ncmText } from '../../words.ts';
import { ncmDigits } from './form-values.ts';

/** Between two keys of somebody who types. */
const PAUSE_MS = 150;
const SHOWN = 50;

export function NcmField({
  hasTable,
  ...bound
}: Omit<Labelled, 'label'> & Bound<string> & { readonly hasTable: boolean }): JSX.Element {
  const [search, setSearch] = useState<string>();
  const asked = useLater(search);
  const found = useResource<Answer<'listNcms'>>(
    hasTable && asked !== undefined ? '/appliance/api/ncms' : undefined,
    { query: { search: asked, limit: SHOWN } },
  );
  // What was found for other words is no answer to these: Enter would choose it. The beginning of a code tells by itself.
  const isAnswered = asked === search && !found.loading;
  const options = (found.value?.items ?? []).filter(({ ncm }) => isMeantBy(search, ncm)).map(optionOf);
  if (!hasTable || bound.disabled === true)
    return <Input {...bound} label="NCM" code inputMode="numeric" placeholder="8 algarismos" />;
  return (
    <Combobox
      {...bound}
      label="NCM"
      free
      placeholder="Código, ou nome de um atributo"
      options={isAnswered || isCode(search) ? options : []}
      onSearch={setSearch}
    />
  );
}

const isCode = (search = ''): boolean => /^\d+$/.test(ncmDigits(search));

const isMeantBy = (search = '', ncm: string): boolean => !isCode(search) || ncm.startsWith(ncmDigits(search));

function optionOf({ ncm, attributes, required, matched }: FoundNcm): Option {
  const names = matched.map(({ nomeApresentacao }) => nomeApresentacao).join(', ');
  const asks = `${counted(attributes, 'atributo', 'atributos')}, ${counted(required, 'obrigatório', 'obrigatórios')}`;
  return { value: ncm, label: ncm, code: ncmText(ncm), hint: names === '' ? asks : `${asks}: ${names}` };
}

function useLater(text: string | undefined): string | undefined {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
