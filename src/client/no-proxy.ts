/** Reads NO_PROXY: the hosts to which connections are direct. */
import { BlockList, isIP } from 'node:net'

/**
 * Whether a list names the host of a target: a name with its subdomains, a wildcard, an address or a network, each with
 * or without a port.
 * @example bypassesProxy(new URL('https://10.1.2.3/api/v2'), 'localhost,*.example.com,10.0.0.0/8') // true
 */
export function bypassesProxy({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const host = withoutBrackets(hostname.toLowerCase()).replace(/\.$/, '')
  const ownPort = port || (protocol === 'https:' ? '443' : '80')
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      // The last part of a bare IPv6 address is no port.
      const [, name = entry, itsPort = ownPort] = (isIP(entry) === 6 ? null : /^(.+):(\d+)$/.exec(entry)) ?? []
      return itsPort === ownPort && names(withoutBrackets(name), host)
    })
}

const withoutBrackets = (name: string) => name.replace(/^\[(.*)\]$/, '$1')

const bits = { 4: 32, 6: 128 } as const
const familyOf = (address: string) => isIP(address) as 0 | 4 | 6

function names(name: string, host: string): boolean {
  const [network = '', prefix] = name.split('/')
  const [family, ofHost] = [familyOf(network), familyOf(host)]
  if (family === 0) return nameForm(name).test(host)
  const length = Number(prefix ?? bits[family])
  if (family !== ofHost || !(length >= 0 && length <= bits[family])) return false
  const list = new BlockList()
  list.addSubnet(network, length, `ipv${family}`)
  return list.check(host, `ipv${family}`)
}

/** `example.com`, `.example.com` and `*.example.com` are the same to most clients. */
const nameForm = (name: string): RegExp => {
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '')
  const pattern = domain.replace(/[^\w*]/g, '\\$&').replaceAll('*', '.*')
  return new RegExp(`^(?:.+\\.)?${pattern}$`)
}
