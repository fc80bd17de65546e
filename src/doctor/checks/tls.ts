import { OperatorError } from '../../errors.ts';
import { Credentials } from '../../tls/credentials.ts';
import { validityOf } from '../../tls/server-certificate.ts';
import { type Verdict, error, ok, warning } from '../model.ts';
import type { Check, DiagnosisTarget } from '../diagnosis-target.ts';

/**
 * Checks the files of `tls.*`: readable, a matching pair, valid now, and revocation lists that are not old.
 */
export const tls: Check = async (diagnosisTarget) => {
  const { settings } = diagnosisTarget;
  const hasNone =
    settings['tls.porta'] === undefined &&
    settings['tls.clientes'] === '' &&
    settings['tls.revogados'].length === 0;
  if (hasNone) return ok('TLS não está em uso.');
  try {
    const credentials = await Credentials.open(settings);
    const { pair, trust } = credentials;
    const own = pair === undefined ? undefined : ofCertificate(pair.cert, diagnosisTarget);
    const lists = ofLists(
      trust.lists.map(({ nextUpdate }) => nextUpdate),
      diagnosisTarget,
    );
    return (
      together(own, lists, ofStrangers(trust.unknownIssuerWarnings)) ??
      ok('O certificado e as listas de revogados estão em dia.')
    );
  } catch (problem) {
    if (!(problem instanceof OperatorError)) throw problem;
    return error(problem.message, 'Corrija o arquivo ou a configuração tls.*: assim o servidor não inicia.');
  }
};

/** Returns an error alone, because the server cannot serve with it. Otherwise joins all warnings. */
function together(...verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  const all = verdicts.filter((verdict) => verdict !== undefined);
  const worst = all.find(({ level }) => level === 'error');
  if (worst !== undefined || all.length < 2) return worst ?? all[0];
  return warning(
    all.map(({ message }) => message).join(' '),
    all.flatMap(({ remedy }) => remedy ?? []).join(' '),
  );
}

function ofCertificate(pem: string, { clock }: DiagnosisTarget): Verdict | undefined {
  const validity = validityOf(pem, clock.now());
  if (validity === undefined) return undefined;
  const remedy = 'Renove o certificado de tls.certificado; o servidor o lê de novo em até 5 s.';
  return (validity.isInvalid ? error : warning)(validity.message, remedy);
}

function ofLists(
  nextUpdates: readonly (number | undefined)[],
  { clock }: DiagnosisTarget,
): Verdict | undefined {
  const old = nextUpdates.filter((next) => next !== undefined && next < clock.now());
  return old.length === 0
    ? undefined
    : warning(
        `${old.length} das listas de certificados revogados (tls.revogados) passaram da data da próxima: quem foi revogado depois ainda entra.`,
        'Traga as listas novas das autoridades para os mesmos arquivos, por exemplo com o cron.',
      );
}

const ofStrangers = (warnings: readonly string[]): Verdict | undefined =>
  warnings.length === 0
    ? undefined
    : warning(
        warnings.join(' '),
        'Ponha o certificado da autoridade em tls.clientes, também o de uma intermediária, ou tire a lista de tls.revogados.',
      );
