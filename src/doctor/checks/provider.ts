import { REAL_TIME, SECOND_MS, SystemClock } from '../../clock.ts';
import { withCount } from '../../validation/text.ts';
import type { Check } from '../diagnosis-target.ts';
import { error, ok, warning } from '../model.ts';

/** Checks the provider by which people sign in. Without an issuer there is no finding. */
export const provider: Check = async ({ settings }) => {
  const issuer = settings['oidc.emissor'];
  if (issuer === '') return undefined;
  // Late, because it loads the library.
  const { examineProvider } = await import('../../oidc/examination.ts');
  const machine = new SystemClock();
  const state = await examineProvider(settings, REAL_TIME, () => machine.now());
  switch (state.kind) {
    case 'unusable':
      return error(state.reason, 'Corrija oidc.* em catp.toml; sem isso o servidor não inicia.');
    case 'away':
      return warning(
        `O provedor não serve para entrar: ${state.reason}.`,
        'Confira oidc.emissor, a rede até o provedor e, de uma autoridade da empresa, oidc.ca. As outras formas de entrar seguem abertas.',
      );
    case 'wrong clock': {
      const seconds = withCount(Math.round(Math.abs(state.aheadMs) / SECOND_MS), 'segundo');
      return warning(
        `O relógio desta máquina está ${seconds} ${state.aheadMs > 0 ? 'adiantado' : 'atrasado'} em relação ao do provedor ${issuer}: as entradas são recusadas.`,
        'Acerte o relógio e mantenha-o por NTP (timedatectl set-ntp true).',
      );
    }
    case 'good':
      return ok(`O provedor ${issuer} responde, seu certificado é aceito e os relógios concordam.`);
  }
};
