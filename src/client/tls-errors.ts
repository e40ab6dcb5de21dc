/** Why a target is not trusted, or speaks no TLS: the codes of OpenSSL and Node in words. */

const certificates: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; look at the clock of this machine',
  CERT_REVOKED: 'its certificate was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate comes from an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an authority that is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an authority that is not known here',
}

/** Certificates that are right once their authority is trusted. */
const untrusted = /SELF_SIGNED|UNABLE_TO/

export interface Distrust {
  readonly sentence: string
  /** A certificate is looked at before anything is sent; other trouble may come later. */
  readonly unsent: boolean
}

/** What a code says about TLS; undefined where it is about something else. */
export function distrustOf(code: string, host: string): Distrust | undefined {
  const certificate = certificates[code]
  if (certificate !== undefined) {
    const next = untrusted.test(code)
      ? 'If it is to be trusted, name the file of its authority in NODE_EXTRA_CA_CERTS.'
      : 'Look at --base-url and at the certificate; NODE_EXTRA_CA_CERTS does not help here.'
    return { sentence: `The target ${host} cannot be trusted: ${certificate} (${code}). ${next}`, unsent: true }
  }
  if (!/^(?:ERR_SSL|ERR_TLS|EPROTO|UND_ERR_PRX_TLS|CERT_|CRL_|UNABLE_TO)/.test(code)) return undefined
  return {
    sentence: `No secure connection to ${host} comes about (${code}). Look whether it speaks https at that port, and at NODE_EXTRA_CA_CERTS.`,
    unsent: false,
  }
}
