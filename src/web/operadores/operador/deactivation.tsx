/** Confirms the deactivation of a version and explains its effect. */
import type { JSX } from 'preact';
import { api } from '../../api/api.ts';
import { useRight } from '../../api/session.ts';
import { useGo } from '../../api/use-go.ts';
import { addressOfProposal, proposeRecord } from '../../aprovar/propose-record.ts';
import { ConfirmSending } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { OPERATORS, type Operator } from '../operator.ts';

export function Deactivation({
  operator: { cpfCnpjRaiz, codigoPais, codigo, nome },
  versao,
  isCurrent,
  onDone,
  onClose,
}: {
  readonly operator: Operator;
  readonly versao: string;
  /** True for the version in force. */
  readonly isCurrent: boolean;
  readonly onDone: () => void;
  readonly onClose: () => void;
}): JSX.Element {
  const mayApprove = useRight('aprovacao', cpfCnpjRaiz);
  const go = useGo();
  if (!mayApprove)
    return (
      <ConfirmSending
        title={`Propor a desativação da versão ${versao}?`}
        action="Propor"
        send={() =>
          proposeRecord({
            cpfCnpjRaiz,
            kind: 'operador',
            operation: 'deactivate',
            codigo,
            versao,
            content: { codigoPais },
          })
        }
        onDone={({ id }) => go(addressOfProposal(cpfCnpjRaiz, id))}
        onClose={onClose}
      >
        <p>
          <bdi>{nome}</bdi> (<code>{codigo}</code>) continua como está até que outra pessoa, com o papel de
          aprovação, decida.
        </p>
      </ConfirmSending>
    );
  const versionPath = [codigoPais, codigo, versao].map(encodeURIComponent).join('/');
  return (
    <ConfirmSending
      title={`Desativar a versão ${versao}?`}
      action="Desativar"
      danger
      send={() => api.put(`${OPERATORS}/desativar/${cpfCnpjRaiz}/${versionPath}`)}
      onDone={() => {
        toast(`Versão ${versao} desativada.`);
        onDone();
      }}
      onClose={onClose}
    >
      <p>
        <bdi>{nome}</bdi> (<code>{codigo}</code>)
      </p>
      <p>
        {isCurrent
          ? 'É a versão vigente: o operador fica desativado, e some das listas até que alguém faça uma nova versão.'
          : 'Não é a versão vigente: o operador continua como está.'}
      </p>
    </ConfirmSending>
  );
}
