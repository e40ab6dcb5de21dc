/** Postal addresses. */
const parts = [
  'line1',
  'line2',
  'city',
  'area',
  'first_name',
  'last_name',
  'zip',
  'state',
  'country',
  'email',
  'phone',
] as const

export type Address = { readonly [Part in (typeof parts)[number]]: string | null }

export const addressFields: readonly string[] = parts

/** An address from input, with null for every missing part. */
export function addressFrom(input: Partial<Address>): Address {
  const address: Record<string, string | null> = {}
  for (const part of parts) address[part] = input[part] ?? null
  return address as Address
}
