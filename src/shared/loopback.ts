/** Recognizes host names and addresses of this machine. */

/** The name in lower case, without the brackets of an IPv6 address, and the address in its shortest form. */
export function canonicalHostname(hostname: string): string {
  const name = hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return isIPv6(name) ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name
}

/** Whether a name is an IPv6 address without brackets. */
export const isIPv6 = (name: string): boolean =>
  /^[\da-f:.]*:[\da-f:.]*$/i.test(name) && URL.canParse(`http://[${name}]`)

const loopback = [
  /^(?:.+\.)?localhost\.?$/,
  /^127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/,
  /^::1$/,
  // The shortest form of ::ffff:127.0.0.1.
  /^::ffff:7f[\da-f]{2}:[\da-f]{1,4}$/,
]

/** Whether a host name, without a port, always means this machine. No name is resolved. */
export function isLoopback(hostname: string): boolean {
  const name = canonicalHostname(hostname)
  return loopback.some((pattern) => pattern.test(name))
}
