/** Gives the people of a pasted list access, one line for each person and company. */
import { useState } from 'preact/hooks';
import type { Company, GivenAccess } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { Notice } from '../ui/alert.tsx';
import { TextArea } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { CompanyName } from '../ui/company-name.tsx';
import { withCount, numberText } from '../words.ts';
import { type PersonLine, peopleIn } from './people-list.ts';

interface FailedLine extends PersonLine {
  readonly reason: string;
}

export function PeopleDialog(props: {
  readonly companies: readonly Company[];
  readonly onChanged: () => void;
  readonly onClose: () => void;
}) {
  const { companies, onChanged, onClose } = props;
  const form = useForm({ lista: '' });
  const [failed, setFailed] = useState<readonly FailedLine[]>([]);
  const save = async (): Promise<void> => {
    const list = peopleIn(form.latest().lista);
    if (typeof list === 'string')
      return form.refuse([{ code: '', place: 'lista', field: 'lista', message: list }]);
    const { headings, lines } = list;
    const refusedLines: FailedLine[] = [];
    for (const line of lines) {
      const reason = line.fault ?? (await refusalOf(line));
      if (reason !== undefined) refusedLines.push({ ...line, reason });
    }
    if (refusedLines.length < lines.length) onChanged();
    toast(`${withCount(lines.length - refusedLines.length, 'acesso dado', 'acessos dados')}.`);
    if (refusedLines.length === 0) return onClose();
    setFailed(refusedLines);
    form.set({ lista: [headings, ...refusedLines.map(({ text }) => text)].join('\n') });
  };
  return (
    <FormDialog
      title="Dar acesso a várias pessoas"
      action={failed.length > 0 ? 'Tentar de novo' : 'Dar acesso'}
      form={form}
      onClose={onClose}
      onSave={save}
      wide
    >
      {failed.length > 0 && (
        <Notice tone="warn">
          <p>
            {withCount(failed.length, 'linha não foi feita', 'linhas não foram feitas')}; as outras foram.
          </p>
          <ul>
            {failed.map(({ text, reason }) => (
              <li key={text}>
                <bdi>{text}</bdi>: {reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <TextArea
        {...form.field('lista')}
        label="Lista"
        rows={8}
        help="A primeira linha dá os nomes das colunas: documento;nome;email;empresa;papel. Depois, uma linha por pessoa e empresa; o e-mail pode ficar vazio, e o papel é leitura, preenchimento ou aprovacao. Colada de uma planilha também serve."
      />
      <ListedCompanies list={form.values.lista} companies={companies} />
    </FormDialog>
  );
}

/** Names the companies of a list, so that a mistyped number is seen before the access is given. */
function ListedCompanies(props: { readonly list: string; readonly companies: readonly Company[] }) {
  const { list, companies } = props;
  const parsedList = list.trim() === '' ? '' : peopleIn(list);
  if (typeof parsedList === 'string') return null;
  const roots = [...new Set(parsedList.lines.map(({ values }) => values.empresa ?? ''))].filter(Boolean);
  return (
    <div role="status">
      {roots.length > 0 && <p class="muted">Empresas da lista:</p>}
      <ul class="plain">
        {roots.map((root) => {
          const company = companies.find(({ cpfCnpjRaiz }) => cpfCnpjRaiz === root);
          const people = parsedList.lines.filter(({ values }) => values.empresa === root).length;
          return (
            <li key={root}>
              {company === undefined ? (
                `${numberText(root)}: nenhuma empresa cadastrada tem esta raiz`
              ) : (
                <CompanyName {...company} />
              )}
              , {withCount(people, 'pessoa', 'pessoas')}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Gives the access of a line. Returns why it was refused. */
async function refusalOf({ values }: PersonLine): Promise<string | undefined> {
  const { documento, nome, email = '', empresa, papel } = values;
  const answer = await api.post<GivenAccess>('/appliance/api/access', {
    documento,
    nome,
    ...(email !== '' && { email }),
    companies: [empresa],
    papel,
  });
  return answer.ok ? undefined : (answer.error.problems[0]?.message ?? answer.error.message);
}
