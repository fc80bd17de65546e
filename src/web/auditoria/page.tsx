/** Lists what changed in the catalogue of a company, and its authors, for those who may approve in it. */
import { useRight } from '../api/session.ts';
import { useCompany } from '../api/use-company.ts';
import { Audit } from '../administracao/audit.tsx';
import { Notice } from '../ui/alert.tsx';
import { Page } from '../ui/page.tsx';

export default function CompanyAuditPage() {
  const company = useCompany();
  const mayRead = useRight('aprovacao', company);
  return (
    <Page title="O que foi feito" about="Quem mudou o quê nos registros desta empresa, o mais novo primeiro.">
      {mayRead ? (
        <Audit key={company} company={company} />
      ) : (
        <Notice tone="calm">
          Só quem pode aprovar nesta empresa vê o que foi feito nela. Peça o papel de aprovação a um
          administrador.
        </Notice>
      )}
    </Page>
  );
}
