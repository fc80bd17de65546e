/**
 * The page of foreign operators of a company: the list or, with `novo=1` in the address, the form of a new
 * one.
 */
import { useRight } from '../api/session.ts';
import { useCompany } from '../api/use-company.ts';
import { useFilters } from '../api/use-filters.ts';
import { useGo } from '../api/use-go.ts';
import { Button } from '../ui/button.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Card, Page } from '../ui/page.tsx';
import { toast } from '../ui/toast.tsx';
import { useRestoreFocus } from '../ui/use-restore-focus.ts';
import { OperatorForm } from './form.tsx';
import { OperatorList } from './list.tsx';
import { addressOf, OPERATORS } from './operator.ts';

export default function OperatorsPage() {
  const company = useCompany();
  const go = useGo();
  const canWrite = useRight('preenchimento', company);
  const [{ novo, exibirDesativados }, setState] = useFilters(['novo', 'exibirDesativados']);
  useRestoreFocus(novo);
  if (novo !== '' && canWrite)
    return (
      <Page title="Novo operador" about="O código é dado pelo catálogo; a primeira versão é a 1.">
        <Card title="Dados do operador">
          <OperatorForm
            key={company}
            cpfCnpjRaiz={company}
            mode="novo"
            onSaved={(operator) => {
              toast(`Operador ${operator.codigo} incluído.`);
              go(addressOf(operator), { replace: true });
            }}
            onCancel={() => setState({ novo: '' })}
          />
        </Card>
      </Page>
    );
  return (
    <Page
      title="Operadores estrangeiros"
      actions={
        <>
          {canWrite && (
            <Button kind="primary" icon="plus" onPress={() => setState({ novo: '1' })}>
              Novo operador
            </Button>
          )}
          <DownloadButton
            path={`${OPERATORS}/exportar/${company}/${exibirDesativados === 'true'}`}
            fallbackName="operadores.zip"
          >
            Exportar
          </DownloadButton>
        </>
      }
    >
      <OperatorList key={company} canWrite={canWrite} />
    </Page>
  );
}
