/** Lists the deadlines of all companies of the user, each with the companies that lack a value. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Deadline } from '../api/answers.ts';
import { usePages } from '../api/use-pages.ts';
import { lackingAddress } from '../deadline/address.ts';
import { Downloads } from '../kit/list/downloads.tsx';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Ncm, NcmDescription } from '../ui/ncm.tsx';
import { Card } from '../ui/page.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { EmptyList } from '../ui/table.tsx';
import { CompanyName } from '../ui/company-name.tsx';
import { countText, withCount, dayText } from '../words.ts';
import { type AttributeDeadline, DeadlineDialog } from './deadline-dialog.tsx';
import { DeadlineKind } from './deadline-kind.tsx';

const PATH = '/appliance/api/deadlines';
const MORE = 50;

export function DeadlinesOfAll(): JSX.Element {
  const { rows, total, need, error, isLoading, isBusy, isComplete, reload } = usePages<Deadline>(PATH, {});
  const [opened, setOpened] = useState<AttributeDeadline>();
  if (error !== undefined) return <ErrorAlert error={error} onRetry={reload} />;
  if (total === undefined || (isLoading && rows.length === 0)) return <Skeleton lines={8} />;
  if (total === 0)
    return <EmptyList>Nada novo vai ser exigido dos produtos ativos das suas empresas.</EmptyList>;
  return (
    <div class="stack">
      <p class="muted" role="status">
        {withCount(total, 'prazo', 'prazos')}
      </p>
      <Actions>
        <Downloads path={PATH} query={{}} name="prazos" hasXlsx />
      </Actions>
      {rows.map((deadline) => (
        <DeadlineCard key={keyOf(deadline)} deadline={deadline} onFill={setOpened} />
      ))}
      {!isComplete && (
        <Actions>
          <Button isBusy={isBusy} onPress={() => need(rows.length + MORE)}>
            Mostrar mais ({countText(total - rows.length)})
          </Button>
        </Actions>
      )}
      {opened !== undefined && (
        <DeadlineDialog deadline={opened} onDone={reload} onClose={() => setOpened(undefined)} />
      )}
    </div>
  );
}

const keyOf = ({ on, kind, ncm, codigo, modalidade }: Deadline): string =>
  [on, kind, ncm, codigo, modalidade].join(' ');

function DeadlineCard({
  deadline,
  onFill,
}: {
  readonly deadline: Deadline;
  readonly onFill: (deadline: AttributeDeadline) => void;
}): JSX.Element {
  const { on, ncm, codigo, nome, companies = [] } = deadline;
  const lacking = companies.filter(({ missing }) => missing > 0);
  const name = codigo === null ? 'A própria NCM termina' : `${nome} (${codigo})`;
  return (
    <Card
      title={`${dayText(on)}: ${name}`}
      actions={
        codigo !== null &&
        lacking.length > 0 && (
          <Button
            kind="primary"
            small
            label={`Preencher ${name}, de ${dayText(on)}`}
            onPress={() => onFill({ ...deadline, codigo })}
          >
            Preencher
          </Button>
        )
      }
    >
      <p>
        <Ncm code={ncm} /> <NcmDescription code={ncm} /> · <DeadlineKind {...deadline} />
      </p>
      {lacking.length === 0 ? (
        <p class="muted">A nenhum produto das suas empresas falta o valor.</p>
      ) : (
        <ul class="panel-rows">
          {lacking.map((company) => (
            <li key={company.cpfCnpjRaiz}>
              <CompanyName {...company} />{' '}
              <Link
                href={lackingAddress(company.cpfCnpjRaiz, deadline)}
                aria-label={`${withCount(company.missing, 'produto', 'produtos')} de ${company.nome}`}
              >
                {withCount(company.missing, 'produto', 'produtos')}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
