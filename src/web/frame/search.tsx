/**
 * The search field over all companies of the user, on every page (Ctrl+K): companies, products, operators,
 * NCMs. Arrows move through the results, Enter opens one.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { ncmWords } from '../../catalogue/members/ncm-words.ts';
import type { Answer } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';
import { useCompany } from '../api/use-company.ts';
import { useOneAtATime } from '../api/use-one-at-a-time.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Situation } from '../ui/badge.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { instead } from '../ui/form.tsx';
import { CompanyName } from '../ui/company-name.tsx';
import { withCount, ncmText, numberText, unpointed } from '../words.ts';

type Results = Answer<'search'>;

/** The button, and the dialog that the button or Ctrl+K opens. */
export function Search() {
  const company = useCompany();
  const [isOpen, setOpen] = useState(false);
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
      {isOpen && <SearchDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const list = useRef<HTMLDivElement>(null);
  const [isEntered, setEntered] = useState(false);
  const searchText = unpointed(text.trim());
  const { value, error, isCurrent } = useOneAtATime<Results>(
    '/appliance/api/search',
    searchText === '' ? undefined : { text: searchText },
  );
  const groups = value === undefined ? [] : groupsOf(value);
  const first = groups[0]?.hits[0]?.href;
  // Enter waits for the results of the typed text.
  useEffect(() => {
    if (!isEntered || !isCurrent) return;
    setEntered(false);
    if (first === undefined) return;
    onClose();
    navigate(first);
  }, [isEntered, isCurrent, first, onClose, navigate]);
  return (
    <Dialog title="Buscar em tudo" onClose={onClose} wide>
      <div class="stack" ref={list} onKeyDown={(event) => moveIn(list.current, event)}>
        <form role="search" onSubmit={instead(() => setEntered(true))}>
          <Input
            label="Buscar"
            value={text}
            onChange={(typedText) => {
              setEntered(false);
              setText(typedText);
            }}
            help="Produto, operador, NCM, ou empresa por nome ou CNPJ. As setas andam pelo que foi achado, Enter abre."
          />
        </form>
        <ErrorAlert error={error} />
        <p class="muted" role="status">
          {isCurrent && value !== undefined && totalOf(value)}
        </p>
        {groups.map(({ title, hits }) => (
          <section key={title}>
            <h3>{title}</h3>
            <ul class="panel-rows">
              {hits.map((hit) => (
                <li key={hit.href}>
                  <Link href={hit.href} onClick={onClose}>
                    <bdi>{hit.name}</bdi>
                  </Link>{' '}
                  <code>{hit.code}</code>{' '}
                  {hit.situacao !== undefined && <Situation situacao={hit.situacao} />}
                  {hit.company !== undefined && (
                    <div>
                      <CompanyName {...hit.company} />
                    </div>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
        {value !== undefined && <PerCompany results={value} text={searchText} onClose={onClose} />}
      </div>
      <Actions>
        <Button onPress={onClose}>Fechar</Button>
      </Actions>
    </Dialog>
  );
}

/**
 * Lists the companies that have a match, each with the lists of all of its products and operators that match.
 */
function PerCompany(props: {
  readonly results: Results;
  readonly text: string;
  readonly onClose: () => void;
}) {
  const { perCompany = [] } = props.results;
  const { text, onClose } = props;
  if (perCompany.length === 0) return null;
  return (
    <section>
      <h3>Em {withCount(perCompany.length, 'empresa', 'empresas')}</h3>
      <ul class="panel-rows">
        {perCompany.map(({ cpfCnpjRaiz, empresa, products, operators }) => (
          <li key={cpfCnpjRaiz}>
            <CompanyName cpfCnpjRaiz={cpfCnpjRaiz} nome={empresa} />
            {products > 0 && (
              <div>
                {withCount(products, 'produto', 'produtos')}{' '}
                <Link
                  href={`/produtos${queryOf({ cpfCnpjRaiz, text })}`}
                  onClick={onClose}
                  aria-label={`Ver todos na lista, de ${empresa}`}
                >
                  Ver todos na lista
                </Link>
              </div>
            )}
            {operators > 0 && (
              <div>
                {withCount(operators, 'operador', 'operadores')}{' '}
                {/* The search finds the deactivated ones too. */}
                <Link
                  href={`/operadores${queryOf({ cpfCnpjRaiz, text, exibirDesativados: 'true' })}`}
                  onClick={onClose}
                  aria-label={`Ver todos os operadores na lista, de ${empresa}`}
                >
                  Ver todos na lista
                </Link>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Moves the focus between the field and the results. */
function moveIn(list: HTMLElement | null, event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined || list === null) return;
  event.preventDefault();
  const stops = [...list.querySelectorAll<HTMLElement>('input, a')];
  const index = stops.indexOf(document.activeElement as HTMLElement); // -1 for another element
  stops[Math.min(Math.max(index + by, 0), stops.length - 1)]?.focus();
}

function totalOf({ total, ncms, companies = [] }: Results): string {
  const counts = [
    [companies.length, 'empresa', 'empresas'],
    [total?.products ?? 0, 'produto', 'produtos'],
    [total?.operators ?? 0, 'operador', 'operadores'],
    [ncms.length, 'NCM', 'NCMs'],
  ] as const;
  const words = counts
    .filter(([count]) => count > 0)
    .map(([count, singular, plural]) => withCount(count, singular, plural));
  return words.length === 0 ? 'Nada foi encontrado.' : `${words.join(', ')}.`;
}

interface Hit {
  readonly href: string;
  readonly code: string;
  readonly name: string;
  /** Absent for a company and an NCM. */
  readonly situacao?: string;
  readonly company?: { readonly cpfCnpjRaiz: string; readonly nome: string };
}

interface Group {
  readonly title: string;
  readonly hits: readonly Hit[];
}

const companyOfHit = ({
  cpfCnpjRaiz = '',
  empresa = '',
}: Pick<Results['products'][number], 'cpfCnpjRaiz' | 'empresa'>) => ({ cpfCnpjRaiz, nome: empresa });

function groupsOf({ companies = [], products, operators, ncms }: Results): readonly Group[] {
  const groups: readonly Group[] = [
    {
      title: 'Empresas',
      hits: companies.map(({ cpfCnpjRaiz, nome }) => ({
        href: `/?cpfCnpjRaiz=${cpfCnpjRaiz}`,
        name: nome,
        code: numberText(cpfCnpjRaiz),
      })),
    },
    {
      title: 'Produtos',
      hits: products.map((product) => ({
        href: `/produtos/${product.cpfCnpjRaiz}/${product.codigo}`,
        name: product.denominacao,
        situacao: product.situacao,
        code: product.codigosInterno[0] ?? String(product.codigo),
        company: companyOfHit(product),
      })),
    },
    {
      title: 'Operadores',
      hits: operators.map((operator) => ({
        href: `/operadores/${operator.cpfCnpjRaiz}/${operator.codigo}`,
        name: operator.nome,
        situacao: operator.situacao,
        code: operator.codigo,
        company: companyOfHit(operator),
      })),
    },
    {
      title: 'NCMs',
      hits: ncms.map((words) => ({
        href: `/atributos?aba=ncm&ncm=${words.ncm}`,
        name: ncmWords(words),
        code: ncmText(words.ncm),
      })),
    },
  ];
  return groups.filter(({ hits }) => hits.length > 0);
}
