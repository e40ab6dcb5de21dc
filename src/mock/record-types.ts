/** The records of a mock by type, as `schema.graphql` has them. Written by `npm run update`. */

export interface Account {
  /** Identifier of the account. */
  readonly id: string
  /** Pixels that report to Facebook. */
  readonly facebook_pixels: readonly Pixel[]
  /** Pixels that report to Snapchat. */
  readonly snapchat_pixels: readonly Pixel[]
  /** Pixels that report to TikTok. */
  readonly tiktok_pixels: readonly Pixel[]
  /** Name of the business. */
  readonly account_name: string | null
  /** Short name in URLs. */
  readonly slug: string | null
  /** Address of the owner. */
  readonly email: string | null
  /** Time zone of the business, an IANA name such as `America/Chicago`. */
  readonly timezone: string | null
  /** Currency of the stores, an ISO 4217 code such as `USD`. */
  readonly store_currency: string | null
  /** When the account was made. */
  readonly created_at: string | null
  /** When the account last changed. */
  readonly updated_at: string | null
}

export interface Store {
  /** Identifier of the store. */
  readonly id: string
  /** Display name. */
  readonly name: string | null
  /** The same as `id`. */
  readonly uid: string | null
  /** Short name in URLs, unique in the account. */
  readonly slug: string | null
  /** Terms on which goods may be returned. */
  readonly refund_policy: string | null
  /** The privacy policy. */
  readonly privacy_policy: string | null
  /** The terms of service. */
  readonly terms_of_services: string | null
  /** Whether the checkout is one page. */
  readonly single_checkout_page: boolean | null
  /** The shipping rules that the store uses. */
  readonly shipping_group_id: string | null
  /** Host name under which the store is reached. */
  readonly defaultDomain: string | null
  /** Postal address in one line. */
  readonly address: string | null
  /** Name of the company behind the store. */
  readonly legal_name: string | null
  /** Address for questions of customers. */
  readonly email: string | null
  /** Currency of the prices, an ISO 4217 code such as `USD`. */
  readonly currency: string | null
  /** Markup that every page of the store carries in its head. */
  readonly header_scripts: string | null
  /** Whether the public can see the store. */
  readonly published: boolean | null
}

export interface Product {
  /** Display name. */
  readonly title: string | null
  /** Price in the currency of the store. */
  readonly price: number | null
  /** Address of the product's page in this store. */
  readonly link: string | null
  /** Pass it to `products(cursor:)` for the products after this one. */
  readonly cursor: string | null
  /** Address of a small picture. */
  readonly thumbnail: string | null
  /** The price before a reduction, or 0 where there was none. */
  readonly compare_at_price: number | null
  /** Average of the reviews, from 0 (none) to 5. */
  readonly reviews_value: number | null
  /** Short name in URLs. */
  readonly slug: string | null
}

export interface Segment {
  /** Identifier of the segment. */
  readonly id: string
  /** Display name. */
  readonly name: string | null
  /** What the segment is for. */
  readonly description: string | null
  /** The same as `id`. */
  readonly uid: string | null
  /** Number of the segment, counted up from 1. */
  readonly _id: number | null
  /** Which customers belong to the segment. */
  readonly settings: SegmentConfig | null
  /** How many customers belong to the segment now. */
  readonly statistics: number | null
  /** When the segment was made. */
  readonly created_at: string | null
  /** When the segment last changed. */
  readonly updated_at: string | null
}

export interface Customer {
  /** Identifier of the customer. */
  readonly id: string
  /** Number of the customer, counted up from 1. */
  readonly _id: number | null
  /** Address of a picture, without a protocol as in `//host/path`. */
  readonly avatar: string | null
  /** First and last name. */
  readonly full_name: string | null
  /** What all orders of the customer came to, in the currency of the account. */
  readonly expenses: number | null
  /** How many orders the customer made. */
  readonly orders_count: number | null
  /** When the customer last changed, as elapsed time such as `3 days ago` unless a format asks for more. */
  readonly updated_at: string | null
  /** When the customer was made, as elapsed time such as `3 days ago` unless a format asks for more. */
  readonly created_at: string | null
  /** E-mail address. */
  readonly email: string | null
  /** Telephone number. */
  readonly phone: string | null
  /** First name. */
  readonly first_name: string | null
  /** Last name. */
  readonly last_name: string | null
  /** Where the customer lives, in a few words. */
  readonly location: string | null
  /** Whether the customer agreed to receive advertising. */
  readonly accepts_marketing: boolean | null
  /** Notes of the shop about the customer. */
  readonly notes: string | null
  /** Where orders are sent. */
  readonly shipping_address: Address | null
  /** Where invoices are sent. */
  readonly billing_address: Address | null
  /** Whatever the shop keeps besides, as a free-form object. */
  readonly custom: Readonly<Record<string, unknown>> | null
  /** Tags, which segments match. */
  readonly tags: readonly (string | null)[] | null
}

export interface Integration {
  /** Identifier of the integration. */
  readonly id: string
  /** Name of the platform. */
  readonly platform: string
  /** Display name. */
  readonly label: string
  /** What the platform needs. For a Facebook integration it carries `pixels`, a list of pixel identifiers. */
  readonly details: unknown | null
}

export interface Pixel {
  /** Display name. */
  readonly label: string
  /** Identifier of the pixel on its platform. */
  readonly value: string
}

export interface SegmentConfig {
  /** Which customers belong to the segment. Without tags: all. */
  readonly include: SegmentCondition | null
  /** Which customers do not, even if included. Without tags: none. */
  readonly exclude: SegmentCondition | null
}

export interface Address {
  /** Street and number. */
  readonly line1: string | null
  /** Apartment, floor or company. */
  readonly line2: string | null
  /** City. */
  readonly city: string | null
  /** Part of the city. */
  readonly area: string | null
  /** First name of the recipient. */
  readonly first_name: string | null
  /** Last name of the recipient. */
  readonly last_name: string | null
  /** Postal code. */
  readonly zip: string | null
  /** State or province. */
  readonly state: string | null
  /** Country. */
  readonly country: string | null
  /** E-mail address of the recipient. */
  readonly email: string | null
  /** Telephone number of the recipient. */
  readonly phone: string | null
}

export interface SegmentCondition {
  /** Whether a customer needs all of the tags or one of them. */
  readonly operator: 'AND' | 'OR' | null
  /** The tags, compared exactly. */
  readonly tags: readonly (string | null)[] | null
}

/** By the name of the type. */
export interface RecordTypes {
  Account: Account
  Store: Store
  Product: Product
  Segment: Segment
  Customer: Customer
  Integration: Integration
}
