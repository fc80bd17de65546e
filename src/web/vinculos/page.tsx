/**
 * The page of manufacturers by product: the links in force or, with `novo=1` in the address, the form of new
 * links.
 */
import { useRight } from '../api/session.ts';
import { useCompany } from '../api/use-company.ts';
import { useFilters } from '../api/use-filters.ts';
import { Button } from '../ui/button.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Page } from '../ui/page.tsx';
import { toast } from '../ui/toast.tsx';
import { useRestoreFocus } from '../ui/use-restore-focus.ts';
import { LinkForm } from './form.tsx';
import { LinkList } from './list.tsx';
import { LINKS } from './maker.ts';

export default function LinksPage() {
  const company = useCompany();
  const mayFill = useRight('preenchimento', company);
  const [{ novo, codigoProduto }, setState] = useFilters(['novo', 'codigoProduto']);
  useRestoreFocus(novo);
  if (novo !== '' && mayFill)
    return (
      <Page title="Novo vínculo" about="Quem fabrica ou produz o que está no catálogo.">
        <LinkForm
          key={`${company} ${codigoProduto}`}
          cpfCnpjRaiz={company}
          codigoProduto={codigoProduto}
          onLinked={() => {
            toast('Vínculo gravado.');
            setState({ novo: '' });
          }}
          onCancel={() => setState({ novo: '' })}
        />
      </Page>
    );
  return (
    <Page
      title="Vínculos"
      about="Quem fabrica ou produz cada produto, hoje."
      actions={
        <>
          {mayFill && (
            <Button kind="primary" icon="plus" onPress={() => setState({ novo: '1' })}>
              Novo vínculo
            </Button>
          )}
          <DownloadButton path={`${LINKS}/exportar/${company}`} fallbackName="vinculos.zip">
            Exportar
          </DownloadButton>
        </>
      }
    >
      <LinkList key={company} canWrite={mayFill} />
    </Page>
  );
}
