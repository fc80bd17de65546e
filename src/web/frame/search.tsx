/** The search field for all records of the company, on every page (Ctrl+K). It links to the record. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { Answer } from '../api/answers.ts';
import { useCompany } from '../api/use-company.ts';
import { useResource } from '../api/use-resource.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Situation } from '../ui/badge.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { ncmWords } from '../../catalogue/members/ncm-words.ts';
import { instead } from '../ui/form.tsx';
import { ncmText, unpointed } from '../words.ts';

/** The button, and the dialog that the button or Ctrl+K opens. */
export function Search(): JSX.Element | null {
  const company = useCompany();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || company === '') return;
      event.preventDefault();
      if (document.querySelector('dialog[open]') === null) setOpen(true);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [company]);
  if (company === '') return null;
  return (
    <>
      <Button small onPress={() => setOpen(true)}>
        Buscar
      </Button>
      {open && <SearchDialog company={company} onClose={() => setOpen(false)} />}
    </>
  );
}

function SearchDialog({
  company,
  onClose,
}: {
  readonly company: string;
  readonly onClose: () => void;
}): JSX.Element {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const searchText = unpointed(text.trim());
  const results = useResource<Answer<'search'>>(searchText === '' ? undefined : '/appliance/api/search', {
    query: { cpfCnpjRaiz: company, text: searchText },
  });
  const hits = searchText === '' ? [] : hitsOf(company, results.value);
  const go = (href: string | undefined): void => {
    if (href === undefined) return;
    onClose();
    navigate(href);
  };
  return (
    <Dialog title="Buscar na empresa" onClose={onClose} wide>
      <form class="stack" role="search" onSubmit={instead(() => go(hits[0]?.href))}>
        <Input
          label="Buscar"
          value={text}
          onChange={setText}
          help="Palavras da denominação ou do nome, códigos, uma NCM por seus primeiros dígitos ou palavras. Enter abre o primeiro."
        />
      </form>
      <ErrorAlert error={results.error} />
      <p class="muted" role="status">
        {searchText !== '' && results.ready && hits.length === 0 && 'Nada foi achado.'}
      </p>
      <ul class="panel-rows">
        {hits.map(({ href, code, name, situacao }) => (
          <li key={href}>
            <Link href={href} onClick={onClose}>
              <bdi>{name}</bdi>
            </Link>{' '}
            <code>{code}</code> {situacao !== undefined && <Situation situacao={situacao} />}
          </li>
        ))}
      </ul>
      <Actions>
        <Button onPress={onClose}>Fechar</Button>
      </Actions>
    </Dialog>
  );
}

interface Hit {
  readonly href: string;
  readonly code: string;
  readonly name: string;
  /** Absent for an NCM. */
  readonly situacao?: string;
}

const hitsOf = (company: string, results: Answer<'search'> | undefined): readonly Hit[] => [
  ...(results?.products ?? []).map(({ codigo, denominacao, situacao, codigosInterno }) => ({
    href: `/produtos/${company}/${codigo}`,
    name: denominacao,
    situacao,
    code: codigosInterno[0] ?? String(codigo),
  })),
  ...(results?.operators ?? []).map(({ codigo, nome, situacao }) => ({
    href: `/operadores/${company}/${codigo}`,
    name: nome,
    situacao,
    code: codigo,
  })),
  ...(results?.ncms ?? []).map((words) => ({
    href: `/atributos?aba=ncm&ncm=${words.ncm}`,
    name: ncmWords(words),
    code: ncmText(words.ncm),
  })),
];
