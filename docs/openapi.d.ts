// Made by `npm run derive`; do not edit.
export interface paths {
    "/api/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the browser may know: widget, fare, offered routes, contact, purchase, app link */
        get: operations["readConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/request-otp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a pilgrim a one-time code */
        post: operations["requestOtp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-otp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign a pilgrim in, or up when a name is given */
        post: operations["verifyOtp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/send-agent-otp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an agent a one-time code */
        post: operations["sendAgentOtp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-agent-otp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign an agent in */
        post: operations["verifyAgentOtp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The signed-in user */
        get: operations["readUserSession"];
        put?: never;
        post?: never;
        /** Delete the signed-in user: name, phone, labels and sessions are erased, orders and amounts stay */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /** Correct the name that goes on airway bills not yet issued, or switch messages by SMS on and off */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/api/auth/agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The signed-in agent */
        get: operations["readAgentSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the session on the server */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout-everywhere": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End all sessions of the signed-in user or agent, this one included */
        post: operations["logoutEverywhere"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The live sessions of the signed-in user or agent, the last used first */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one session of the signed-in user or agent */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/user/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export all data of the signed-in user, as a file */
        get: operations["exportUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/partner/centers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Branches of the shipping partner in the Kingdom */
        get: operations["listCenters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/partner/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Agents of the shipping partner in Makkah and Mina */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create an order and open its payment */
        post: operations["checkout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create an order and open its payment, in the shape of the spec’s create-payment-order call */
        post: operations["createPaymentOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The provider’s signed report of a transaction */
        post: operations["receiveCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The SMS service’s signed report of a message */
        post: operations["receiveMessageStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether this browser gets push messages about the user’s bags, and the key to subscribe with */
        get: operations["readPush"];
        put?: never;
        /** Send messages about the user’s bags to this browser, in place of SMS, until its session ends */
        post: operations["subscribePush"];
        /** Send this browser no more push messages; also succeeds where none are sent */
        delete: operations["unsubscribePush"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One order, by its number or any merchant reference issued for it */
        get: operations["readOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{id}/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The client secret of an order still unpaid; with a client secret, only if it was issued for this order */
        post: operations["renewPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel an order before a bag of it is handed over; money that was paid goes back whole. Cancelling again changes nothing */
        post: operations["cancelOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/user/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The orders of the signed-in user, newest first */
        get: operations["listUserOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/agent/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The paid and refunded orders of the signed-in agent: searched, filtered and counted */
        get: operations["listAgentOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/handovers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The agent takes a bag from its owner */
        post: operations["recordHandover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/handovers/{awb}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether a scanned bag belongs to another agent, 10 times a minute */
        get: operations["findForeignBag"];
        put?: never;
        post?: never;
        /** Undo a hand-over within 10 minutes, before the courier has scanned the bag */
        delete: operations["undoHandover"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/barcode/{awb}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The airway bill label as base64 */
        get: operations["readLabel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/barcode/{awb}.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The airway bill label as a PDF */
        get: operations["readLabelPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tracking/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The courier’s report of scans */
        post: operations["receiveScans"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{id}/receipt.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The receipts or tax invoices of the payments of an order as a PDF, below each a note for money that was returned */
        get: operations["readReceiptPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders/{id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** When the live link of the order was made; null without one */
        get: operations["readOwnShare"];
        put?: never;
        /** A new link to the journey of the order’s bags; it ends the one before it */
        post: operations["createShare"];
        /** End the link of the order, if there is one */
        delete: operations["endShare"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/track/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The journey behind a shared link; ended, expired and unknown links are one 404 */
        get: operations["readShare"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Violations of the content security policy, as browsers report them, and errors of the app */
        post: operations["sendReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/demo/orders/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is stored of an order, by its number, a merchant or shipment reference, or an airway bill */
        get: operations["readDemoOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/demo/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete every user, session and order, and go back to real time; numbers of orders continue */
        post: operations["resetDemo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/demo/snapshots/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keep a copy of the whole database and of the clock under a name, in place of an earlier one */
        post: operations["saveDemoSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/demo/snapshots/{name}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the whole database and the clock by a copy */
        post: operations["restoreDemoSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/demo/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Move the clock of the gateway; what has become due is done */
        post: operations["moveDemoClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccountExport: {
            /** Format: date-time */
            exportedAt: string;
            profile: {
                userId: number;
                name: string;
                phone: string;
                /** Format: date-time */
                signedUpAt: string;
                /** @description The language of messages. */
                language: string | null;
                /** @description Whether messages about bags are wanted by SMS. */
                messages: boolean;
            };
            sessions: components["schemas"]["SessionView"][];
            codes: components["schemas"]["CodeExport"][];
            messages: {
                /** Format: date-time */
                createdAt: string;
                orderId: number;
                /** @description What it reports, such as paid or at-branch. */
                about: string;
                phone: string;
                text: string;
                /** @description What became of it, such as delivered. */
                state: string;
                /** @description `push`: it was sent to the user’s browsers, and not by SMS. */
                channel: "sms" | "push";
            }[];
            pushSubscriptions: {
                /** Format: date-time */
                createdAt: string;
                /** @description The address at the push service of the browser. */
                endpoint: string;
            }[];
            /** @description What operators changed, newest first. */
            operatorActions: {
                /** Format: date-time */
                at: string;
                /** @description Such as refund or unlock. */
                action: string;
                orderId: number | null;
                reason: string | null;
            }[];
            orders: {
                orderId: number;
                /** @enum {string} */
                status: "PENDING_PAYMENT" | "PAID" | "EXPIRED" | "REFUNDED" | "CANCELLED";
                type: components["schemas"]["BookingType"];
                /** @description 5000 is 50.00 SAR. */
                amountHalalas: number;
                currency: string;
                agentCode: string;
                centerCode: string;
                transactionId: string | null;
                /** Format: date-time */
                createdAt: string;
                paidAt: string | null;
                bookings: {
                    awb: string | null;
                    /** @description The name printed on the airway bill; absent until the partner has been asked for it. */
                    receiver?: string;
                    origin: components["schemas"]["Location"];
                    destination: components["schemas"]["Location"];
                    /** @description Null while the order is unpaid or expired. From the newest meaning of the events, whatever order they arrive in. A reader must tolerate others. */
                    state: ("AWAITING_LABEL" | "READY" | "HANDED_OVER" | "IN_TRANSIT" | "AT_BRANCH" | "COLLECTED" | "EXCEPTION" | "CANCELLED") | null;
                    /** @description When the bag was last seen. */
                    lastEventAt: string | null;
                    /** @description Oldest first. */
                    events: {
                        /**
                         * @description A reader must tolerate others.
                         * @enum {string}
                         */
                        kind: "handed-over" | "hand-over-undone" | "picked-up" | "in-transit" | "at-branch" | "collected" | "exception" | "returning" | "cancelled" | "unknown";
                        /** Format: date-time */
                        at: string;
                        /** @description A city or the name of an agent. */
                        place?: string;
                        /** @enum {string} */
                        source: "agent" | "courier" | "system";
                        /** @description The courier’s own. */
                        code?: string;
                        /** @description The courier’s own. */
                        text?: string;
                    }[];
                    /** @description What the shipping partner knows the shipment by. */
                    reference: string;
                    /** @enum {string} */
                    labelState: "none" | "waiting" | "labelling" | "issued" | "canceled";
                    /** @description Where its owner, signed in, downloads the PDF that is kept. */
                    label: string | null;
                }[];
                payments: components["schemas"]["PaymentExport"][];
                receipts: components["schemas"]["ReceiptExport"][];
            }[];
        };
        AgentOrderPage: {
            /** @enum {boolean} */
            success: true;
            orders: components["schemas"]["Order"][];
            /** @description Of all orders of the agent, whatever is searched for. */
            counts: {
                waiting: number;
                received: number;
                refused: number;
            };
            /** @description With `q` or `city` a call looks through a limited number of orders: a page may then hold fewer than `limit`, also none, and still have a next one. */
            nextCursor: string | null;
        };
        Booking: {
            awb: string | null;
            /** @description The name printed on the airway bill; absent until the partner has been asked for it. */
            receiver?: string;
            origin: components["schemas"]["Location"];
            destination: components["schemas"]["Location"];
            /** @description Null while the order is unpaid or expired. From the newest meaning of the events, whatever order they arrive in. A reader must tolerate others. */
            state: ("AWAITING_LABEL" | "READY" | "HANDED_OVER" | "IN_TRANSIT" | "AT_BRANCH" | "COLLECTED" | "EXCEPTION" | "CANCELLED") | null;
            /** @description When the bag was last seen. */
            lastEventAt: string | null;
            /** @description Oldest first. */
            events: {
                /**
                 * @description A reader must tolerate others.
                 * @enum {string}
                 */
                kind: "handed-over" | "hand-over-undone" | "picked-up" | "in-transit" | "at-branch" | "collected" | "exception" | "returning" | "cancelled" | "unknown";
                /** Format: date-time */
                at: string;
                /** @description A city or the name of an agent. */
                place?: string;
                /** @enum {string} */
                source: "agent" | "courier" | "system";
                /** @description The courier’s own. */
                code?: string;
                /** @description The courier’s own. */
                text?: string;
            }[];
        };
        /** @enum {string} */
        BookingType: "TO_MINA" | "FROM_MINA" | "TO_AND_FROM_MINA";
        Center: {
            code: string;
            addressAR: string;
            addressEN: string;
            /** @description English name; the screens hold the Arabic names of cities. */
            city: string;
            coordinates: components["schemas"]["Coordinates"];
        };
        CheckoutRequest: {
            userId: number;
            type: components["schemas"]["BookingType"];
            /** @description Always 1. */
            noOfPackages: number;
            agentCode: string;
            centerCode: string;
            /** @description SAR. The server computes it; another amount is refused. */
            amount: number;
        };
        CodeExport: {
            /** Format: date-time */
            sentAt: string;
            /** Format: date-time */
            validUntil: string;
            triedTimes: number;
            state: string;
        };
        CodeSent: {
            /** @enum {boolean} */
            success: true;
            expiresInSeconds: number;
            resendInSeconds: number;
            /** @description True when a code was just sent; false when the one sent before still holds and no new one went out. */
            sent: boolean;
        };
        Coordinates: {
            latitude: number;
            longitude: number;
        } | null;
        DemoOrder: {
            orderId: number;
            /** @enum {string} */
            status: "PENDING_PAYMENT" | "PAID" | "EXPIRED" | "REFUNDED" | "CANCELLED";
            type: components["schemas"]["BookingType"];
            /** @description 5000 is 50.00 SAR. */
            amountHalalas: number;
            currency: string;
            agentCode: string;
            centerCode: string;
            transactionId: string | null;
            /** Format: date-time */
            createdAt: string;
            paidAt: string | null;
            bookings: {
                awb: string | null;
                /** @description The name printed on the airway bill; absent until the partner has been asked for it. */
                receiver?: string;
                origin: components["schemas"]["Location"];
                destination: components["schemas"]["Location"];
                /** @description Null while the order is unpaid or expired. From the newest meaning of the events, whatever order they arrive in. A reader must tolerate others. */
                state: ("AWAITING_LABEL" | "READY" | "HANDED_OVER" | "IN_TRANSIT" | "AT_BRANCH" | "COLLECTED" | "EXCEPTION" | "CANCELLED") | null;
                /** @description When the bag was last seen. */
                lastEventAt: string | null;
                /** @description Oldest first. */
                events: {
                    /**
                     * @description A reader must tolerate others.
                     * @enum {string}
                     */
                    kind: "handed-over" | "hand-over-undone" | "picked-up" | "in-transit" | "at-branch" | "collected" | "exception" | "returning" | "cancelled" | "unknown";
                    /** Format: date-time */
                    at: string;
                    /** @description A city or the name of an agent. */
                    place?: string;
                    /** @enum {string} */
                    source: "agent" | "courier" | "system";
                    /** @description The courier’s own. */
                    code?: string;
                    /** @description The courier’s own. */
                    text?: string;
                }[];
                /** @description What the shipping partner knows the shipment by. */
                reference: string;
                /** @enum {string} */
                labelState: "none" | "waiting" | "labelling" | "issued" | "canceled";
                /** @description Where its owner, signed in, downloads the PDF that is kept. */
                label: string | null;
            }[];
            /** @description Null when the account was deleted. */
            user: components["schemas"]["User"] | null;
            /** @description Attempts, oldest first, each with what the provider reported of it and its refunds. */
            payments: components["schemas"]["PaymentExport"][];
            /** @description Newest first. */
            messages: {
                /** Format: date-time */
                createdAt: string;
                orderId: number;
                /** @description What it reports, such as paid or at-branch. */
                about: string;
                phone: string;
                text: string;
                /** @description What became of it, such as delivered. */
                state: string;
                /** @description `push`: it was sent to the user’s browsers, and not by SMS. */
                channel: "sms" | "push";
            }[];
        };
        Location: {
            name?: string;
            address?: string;
            addressAR?: string;
            addressEN?: string;
            city?: string;
            phone?: string;
            coordinates: components["schemas"]["Coordinates"];
        };
        Order: {
            orderId: number;
            /**
             * @description A reader must tolerate others.
             * @enum {string}
             */
            status: "PENDING_PAYMENT" | "PAID" | "EXPIRED" | "REFUNDED" | "CANCELLED";
            transactionId?: string;
            type: components["schemas"]["BookingType"];
            /** @description SAR, VAT included: what the order costs. Only for its owner. */
            amount?: number;
            /** Format: date-time */
            creationDate: string;
            user?: {
                name: string | null;
                phone: string | null;
            };
            /** @description A payment can be started now. */
            payable: boolean;
            /** @description It can be cancelled now. Only for its owner. */
            cancellable?: boolean;
            refund?: components["schemas"]["OrderRefund"];
            /** @description GET /api/orders/{id}/receipt.pdf answers. Only for its owner. */
            hasReceipt?: boolean;
            bookings: components["schemas"]["Booking"][];
        };
        OrderPage: {
            /** @enum {boolean} */
            success: true;
            orders: components["schemas"]["Order"][];
            nextCursor: string | null;
        };
        OrderRefund: {
            /** @enum {string} */
            state: "pending" | "done" | "needs-help";
            /** @description SAR, unless `currency` says otherwise. */
            amount: number;
            /** @description Of the amount, where the money taken was not SAR. */
            currency?: string;
            /** @enum {string} */
            reason: "wrong-amount" | "second-payment" | "cancelled" | "operator";
        };
        PartnerAgent: {
            /** @description The partner’s own id of the agent. */
            id: string;
            name: string;
            address: string;
            city: string;
            phone: string;
            coordinates: components["schemas"]["Coordinates"];
        };
        PaymentExport: {
            reference: string;
            /** @enum {string} */
            state: "creating" | "open" | "unknown" | "superseded" | "failed" | "succeeded";
            /** @description 5000 is 50.00 SAR. */
            amountHalalas: number;
            currency: string;
            /** Format: date-time */
            startedAt: string;
            events: {
                transactionId: string;
                /** @enum {string} */
                kind: "pending" | "succeeded" | "failed" | "refunded" | "voided" | "captured";
                /**
                 * @description How the gateway learned of it.
                 * @enum {string}
                 */
                source: "callback" | "inquiry";
                /** @enum {string} */
                outcome: "applied" | "noted" | "second-payment" | "owner-deleted" | "order-cancelled" | "amount-mismatch" | "reference-mismatch" | "unknown-order" | "partial-refund";
                /** @description 5000 is 50.00 SAR. */
                amountHalalas: number;
                currency: string;
                /** Format: date-time */
                receivedAt: string;
            }[];
            refunds: {
                transactionId: string;
                /** @enum {string} */
                state: "due" | "uncertain" | "asked" | "done";
                /** @enum {string} */
                reason: "wrong-amount" | "second-payment" | "owner-deleted" | "cancelled" | "operator";
                /** @description 5000 is 50.00 SAR. */
                amountHalalas: number;
                /** Format: date-time */
                orderedAt: string;
                doneAt: string | null;
            }[];
        };
        PaymentOrderRequest: {
            userId: number;
            /** @description SAR. The server computes it; another amount is refused. */
            amount: number;
            bookingDetails: {
                type: components["schemas"]["BookingType"];
                agentCode: string;
                centerCode: string;
                /** @description Always 1. */
                noOfPackages: number;
            };
        };
        PaymentStart: {
            /** @enum {boolean} */
            success: true;
            orderId: number;
            clientSecret: string;
            publicKey: string;
        };
        /** Problem */
        Problem: {
            /** @enum {boolean} */
            success: false;
            code: string;
            /** @description In the language of the caller. */
            message: string;
            requestId: string;
            fields?: components["schemas"]["RefusedField"][];
            retryAfterSeconds?: number;
            /** @description Of `ACCOUNT_HAS_PAID_ORDERS`: the orders, the oldest first. */
            orders?: {
                orderId: number;
                /** @description In riyals. */
                amount: number;
                /** @description Its owner can cancel it, and the full price goes back. */
                cancellable: boolean;
            }[];
            /**
             * Format: date-time
             * @description Of `ALREADY_RECEIVED`: when the bag was taken.
             */
            receivedAt?: string;
        };
        PublicConfig: {
            /** @enum {boolean} */
            success: true;
            /** @description True while the services are simulated. */
            demo: boolean;
            widget: {
                /** @description A module script that sets window.Pixel. */
                script: string;
                /** @description Subresource Integrity of that script. */
                integrity?: string;
                styles: string[];
            };
            fare: {
                /** @description SAR, one way. */
                base: number;
                /** @description SAR, added for the way back. */
                return: number;
                currency: string;
            };
            maxWeightKg: number;
            enabledTypes: components["schemas"]["BookingType"][];
            contact: {
                email: string;
                phone: string;
                address: {
                    ar: string;
                    en: string;
                };
            };
            /** @description What is shown before paying: what may not be in the bag, terms, until when an order can be cancelled, payment provider, cards, the seller’s tax details. */
            purchase: {
                notInTheBag: {
                    ar: string;
                    en: string;
                };
                terms: {
                    ar: string;
                    en: string;
                };
                cancellation: {
                    /** @description A paid order can be cancelled until a bag of it is handed over. */
                    isOffered: boolean;
                    /** @description In which it can be, counted from the payment. 0: until the hand-over. */
                    hours: number;
                };
                provider: {
                    ar: string;
                    en: string;
                };
                /** @description Names of the card brands that are accepted. */
                cards: string[];
                seller: {
                    /** @description Absent for a seller not registered for VAT. */
                    vatNumber?: string;
                    /** @description Of the commercial registration. */
                    registrationNumber?: string;
                    /** @description True while the numbers are no real ones. */
                    isExample: boolean;
                };
            };
            tracking: {
                /** @description After so many hours without news of a bag on its way its owner is told so. */
                silenceHours: number;
            };
            appLink: string;
        };
        ReceiptExport: {
            /** @description As printed. */
            number: string;
            /** @enum {string} */
            kind: "receipt" | "invoice" | "refund-receipt" | "credit-note";
            /** @description The number of the corrected one. */
            corrects: string | null;
            /** @description 5000 is 50.00 SAR. */
            amountHalalas: number;
            /** Format: date-time */
            issuedAt: string;
            /** @description Where its owner, signed in, downloads the PDF. */
            file: string;
        };
        RefusedField: {
            field: string;
            message: string;
        };
        SessionView: {
            /** @description A name of the session that opens nothing. */
            id: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description To the minute.
             */
            lastSeenAt: string;
            /** @description Browser and system in a word each; null where they are not known. */
            device: string | null;
            /** @description True for the session that asks. */
            isCurrent: boolean;
        };
        User: {
            id: number;
            name: string | null;
            phone: string | null;
        };
    };
    responses: {
        /** @description - `FORBIDDEN_ORIGIN`: The request was refused because it did not come from this site. */
        ForbiddenOrigin: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "FORBIDDEN_ORIGIN";
                };
            };
        };
        /** @description - `BODY_TOO_LARGE`: The request is too large. */
        BodyTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "BODY_TOO_LARGE";
                };
            };
        };
        /** @description - `UNSUPPORTED_MEDIA_TYPE`: The content type is not supported. Send JSON. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "UNSUPPORTED_MEDIA_TYPE";
                };
            };
        };
        /** @description - `UNKNOWN_HOST`: This address is not one of this site. */
        UnknownHost: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "UNKNOWN_HOST";
                };
            };
        };
        /** @description - `UNEXPECTED`: Something went wrong on our side. Try again in a moment. */
        Unexpected: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "UNEXPECTED";
                };
            };
        };
        /**
         * @description - `PHONE_LOCKED`: Signing in with this number is stopped to protect the account, after too many wrong codes. To open it again, contact us: ⁦+966 920 000 000⁩ or care@amtiati.example. A device that has signed in before still works.
         *     - `TOO_MANY_WRONG_CODES`: Too many wrong codes were entered for this number. You can try again in a while.
         */
        PhoneLockedOrTooManyWrongCodes: {
            headers: {
                /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "PHONE_LOCKED" | "TOO_MANY_WRONG_CODES";
                };
            };
        };
        /** @description - `INVALID_REQUEST`: The request could not be read. Check the fields and try again. */
        InvalidRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "INVALID_REQUEST";
                };
            };
        };
        /** @description - `NOT_SIGNED_IN`: Please sign in first. */
        NotSignedIn: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "NOT_SIGNED_IN";
                };
            };
        };
        /**
         * @description - `CLOSING`: The service is restarting. Try again in a moment.
         *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
         *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
         */
        ClosingOrOverloadedOrStorageUnavailable: {
            headers: {
                /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                };
            };
        };
        /**
         * @description - `FORBIDDEN_ORIGIN`: The request was refused because it did not come from this site.
         *     - `WRONG_ROLE`: This account cannot do that.
         */
        ForbiddenOriginOrWrongRole: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "FORBIDDEN_ORIGIN" | "WRONG_ROLE";
                };
            };
        };
        /** @description - `WRONG_ROLE`: This account cannot do that. */
        WrongRole: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "WRONG_ROLE";
                };
            };
        };
        /** @description - `TOO_MANY_CALLS`: This was asked for too often in a short time. You can try again in a while. */
        TooManyCalls: {
            headers: {
                /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "TOO_MANY_CALLS";
                };
            };
        };
        /**
         * @description - `IDEMPOTENCY_CONFLICT`: Another request was already sent under the same key.
         *     - `ORDER_NOT_PAYABLE`: This order is not waiting for a payment.
         *     - `TOO_MANY_OPEN_ORDERS`: You have many orders that are not paid yet. Pay one of them under My orders, or wait until they expire (about an hour and a quarter), then book again.
         */
        IdempotencyConflictOrOrderNotPayableOrTooManyOpenOrders: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "IDEMPOTENCY_CONFLICT" | "ORDER_NOT_PAYABLE" | "TOO_MANY_OPEN_ORDERS";
                };
            };
        };
        /** @description - `CHECKOUT_REFUSED`: The booking cannot be made like this. Check the fields named. */
        CheckoutRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "CHECKOUT_REFUSED";
                };
            };
        };
        /** @description - `ORDER_NOT_FOUND`: We could not find this order. */
        OrderNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "ORDER_NOT_FOUND";
                };
            };
        };
        /** @description - `LABEL_NOT_FOUND`: We could not find this airway bill. */
        LabelNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "LABEL_NOT_FOUND";
                };
            };
        };
        /**
         * @description - `LABEL_DELETED`: The file of this airway bill is no longer kept: its time is over, or the account it belonged to was deleted.
         *     - `LABEL_WITHDRAWN`: This airway bill is no longer valid, because the order was refunded or cancelled.
         */
        LabelDeletedOrLabelWithdrawn: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "LABEL_DELETED" | "LABEL_WITHDRAWN";
                };
            };
        };
        /** @description - `PUSH_NOT_OFFERED`: Notifications are not available at present. */
        PushNotOffered: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "PUSH_NOT_OFFERED";
                };
            };
        };
        /** @description - `DEMO_KEY_REFUSED`: The key of the testers’ calls is missing or wrong. */
        DemoKeyRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code: "DEMO_KEY_REFUSED";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicConfig"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["ClosingOrOverloadedOrStorageUnavailable"];
        };
    };
    requestOtp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "phone": "0512345678",
                 *       "name": "Maryam Ali"
                 *     }
                 */
                "application/json": {
                    phone: string;
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            /**
             * @description - `INVALID_REQUEST`: The request could not be read. Check the fields and try again.
             *     - `NAME_INVALID`: Please write your name in letters, without hidden characters.
             *     - `NAME_REQUIRED`: Please enter your name
             *     - `PHONE_CANNOT_RECEIVE_CODES`: This number cannot receive codes. Use another mobile number, or contact us: ⁦+966 920 000 000⁩ or care@amtiati.example.
             *     - `PHONE_INVALID`: Please enter a valid phone number
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "INVALID_REQUEST" | "NAME_INVALID" | "NAME_REQUIRED" | "PHONE_CANNOT_RECEIVE_CODES" | "PHONE_INVALID";
                    };
                };
            };
            403: components["responses"]["ForbiddenOrigin"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            /**
             * @description - `CODE_REQUESTED_TOO_SOON`: We sent a code to this number a moment ago. You can ask for a new one in a while.
             *     - `PHONE_LOCKED`: Signing in with this number is stopped to protect the account, after too many wrong codes. To open it again, contact us: ⁦+966 920 000 000⁩ or care@amtiati.example. A device that has signed in before still works.
             *     - `SIGN_IN_BUSY`: Sign-in is very busy right now. It is nothing you did. You can try again in a while.
             *     - `TOO_MANY_CODES`: Too many codes were requested for this number. You can ask for a new one in a while.
             *     - `TOO_MANY_WRONG_CODES`: Too many wrong codes were entered for this number. You can try again in a while.
             */
            429: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "CODE_REQUESTED_TOO_SOON" | "PHONE_LOCKED" | "SIGN_IN_BUSY" | "TOO_MANY_CODES" | "TOO_MANY_WRONG_CODES";
                    };
                };
            };
            500: components["responses"]["Unexpected"];
            /**
             * @description - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OTP_UNAVAILABLE`: We could not reach the code service. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "CLOSING" | "OTP_UNAVAILABLE" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    verifyOtp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "phone": "0512345678",
                 *       "code": "1234",
                 *       "name": "Maryam Ali"
                 *     }
                 */
                "application/json": {
                    phone: string;
                    code: string;
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        user: components["schemas"]["User"];
                    };
                };
            };
            /**
             * @description - `CODE_INVALID`: That code is wrong or has expired. Check it or ask for a new one.
             *     - `CODE_USED_UP`: This code has been tried too often. Please ask for a new one.
             *     - `INVALID_REQUEST`: The request could not be read. Check the fields and try again.
             *     - `NAME_INVALID`: Please write your name in letters, without hidden characters.
             *     - `NAME_REQUIRED`: Please enter your name
             *     - `PHONE_CANNOT_RECEIVE_CODES`: This number cannot receive codes. Use another mobile number, or contact us: ⁦+966 920 000 000⁩ or care@amtiati.example.
             *     - `PHONE_INVALID`: Please enter a valid phone number
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "CODE_INVALID" | "CODE_USED_UP" | "INVALID_REQUEST" | "NAME_INVALID" | "NAME_REQUIRED" | "PHONE_CANNOT_RECEIVE_CODES" | "PHONE_INVALID";
                    };
                };
            };
            403: components["responses"]["ForbiddenOrigin"];
            /** @description - `SIGN_UP_REQUIRED`: This number is new to us. Enter your name to finish signing up. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "SIGN_UP_REQUIRED";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            429: components["responses"]["PhoneLockedOrTooManyWrongCodes"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OTP_UNAVAILABLE`: We could not reach the code service. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "CLOSING" | "OTP_UNAVAILABLE" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    sendAgentOtp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "phone": "0512345678"
                 *     }
                 */
                "application/json": {
                    phone: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            /**
             * @description - `INVALID_REQUEST`: The request could not be read. Check the fields and try again.
             *     - `PHONE_CANNOT_RECEIVE_CODES`: This number cannot receive codes. Use another mobile number, or contact us: ⁦+966 920 000 000⁩ or care@amtiati.example.
             *     - `PHONE_INVALID`: Please enter a valid phone number
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "INVALID_REQUEST" | "PHONE_CANNOT_RECEIVE_CODES" | "PHONE_INVALID";
                    };
                };
            };
            403: components["responses"]["ForbiddenOrigin"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            /**
             * @description - `CODE_REQUESTED_TOO_SOON`: We sent a code to this number a moment ago. You can ask for a new one in a while.
             *     - `PHONE_LOCKED`: Signing in with this number is stopped to protect the account, after too many wrong codes. To open it again, contact us: ⁦+966 920 000 000⁩ or care@amtiati.example. A device that has signed in before still works.
             *     - `SIGN_IN_BUSY`: Sign-in is very busy right now. It is nothing you did. You can try again in a while.
             *     - `TOO_MANY_CODES`: Too many codes were requested for this number. You can ask for a new one in a while.
             *     - `TOO_MANY_WRONG_CODES`: Too many wrong codes were entered for this number. You can try again in a while.
             */
            429: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "CODE_REQUESTED_TOO_SOON" | "PHONE_LOCKED" | "SIGN_IN_BUSY" | "TOO_MANY_CODES" | "TOO_MANY_WRONG_CODES";
                    };
                };
            };
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OTP_UNAVAILABLE`: We could not reach the code service. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OTP_UNAVAILABLE" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    verifyAgentOtp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "phone": "0512345678",
                 *       "code": "1234"
                 *     }
                 */
                "application/json": {
                    phone: string;
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        agent: components["schemas"]["User"];
                        /** @description A handle of the session without authority: no endpoint accepts it. */
                        token: string;
                    };
                };
            };
            /**
             * @description - `CODE_INVALID`: That code is wrong or has expired. Check it or ask for a new one.
             *     - `CODE_USED_UP`: This code has been tried too often. Please ask for a new one.
             *     - `INVALID_REQUEST`: The request could not be read. Check the fields and try again.
             *     - `PHONE_CANNOT_RECEIVE_CODES`: This number cannot receive codes. Use another mobile number, or contact us: ⁦+966 920 000 000⁩ or care@amtiati.example.
             *     - `PHONE_INVALID`: Please enter a valid phone number
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "CODE_INVALID" | "CODE_USED_UP" | "INVALID_REQUEST" | "PHONE_CANNOT_RECEIVE_CODES" | "PHONE_INVALID";
                    };
                };
            };
            403: components["responses"]["ForbiddenOrigin"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            429: components["responses"]["PhoneLockedOrTooManyWrongCodes"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OTP_UNAVAILABLE`: We could not reach the code service. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OTP_UNAVAILABLE" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    readUserSession: {
        parameters: {
            query?: {
                /** @description Answers 200 with `success: false` where it would be 401. */
                probe?: "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        userId: number;
                        name: string | null;
                        phone: string | null;
                        /** @description Whether SMS about bags are wanted; absent where none are sent. */
                        messages?: boolean;
                    } | {
                        /** @enum {boolean} */
                        success: false;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["ClosingOrOverloadedOrStorageUnavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: {
                /** @description Gives up paid orders that were not handed over, where none of them can be cancelled: no agent accepts their bags then. */
                forfeit?: "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["ForbiddenOriginOrWrongRole"];
            /**
             * @description - `ACCOUNT_HAS_OPEN_ORDERS`: The account cannot be deleted now: an airway bill is not issued yet, a bag is on its way, or money is still on its way back to you. Try again later.
             *     - `ACCOUNT_HAS_PAID_ORDERS`: You have a paid order whose bag is not handed over yet.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "ACCOUNT_HAS_OPEN_ORDERS" | "ACCOUNT_HAS_PAID_ORDERS";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            429: components["responses"]["TooManyCalls"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Maryam Ali"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    /** @description Whether SMS about bags are wanted; absent where none are sent. */
                    messages?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        user: {
                            id: number;
                            name: string | null;
                            phone: string | null;
                            /** @description Whether SMS about bags are wanted; absent where none are sent. */
                            messages?: boolean;
                        };
                    };
                };
            };
            /**
             * @description - `INVALID_REQUEST`: The request could not be read. Check the fields and try again.
             *     - `NAME_INVALID`: Please write your name in letters, without hidden characters.
             *     - `NAME_REQUIRED`: Please enter your name
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "INVALID_REQUEST" | "NAME_INVALID" | "NAME_REQUIRED";
                    };
                };
            };
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["ForbiddenOriginOrWrongRole"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    readAgentSession: {
        parameters: {
            query?: {
                /** @description Answers 200 with `success: false` where it would be 401. */
                probe?: "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        agentId: number;
                        name: string | null;
                        phone: string | null;
                    } | {
                        /** @enum {boolean} */
                        success: false;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["ForbiddenOrigin"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["ClosingOrOverloadedOrStorageUnavailable"];
        };
    };
    logoutEverywhere: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["ForbiddenOrigin"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        sessions: components["schemas"]["SessionView"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["ForbiddenOrigin"];
            /** @description - `SESSION_NOT_FOUND`: We could not find this session, or it has ended. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "SESSION_NOT_FOUND";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    exportUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    /** @description Name of the file, and whether to show or save it. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountExport"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["WrongRole"];
            421: components["responses"]["UnknownHost"];
            429: components["responses"]["TooManyCalls"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    listCenters: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Strong, and of its own for each content encoding. */
                    ETag?: string;
                    /** @description How long any cache may keep the answer. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        centers: components["schemas"]["Center"][];
                    };
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Strong, and of its own for each content encoding. */
                    ETag?: string;
                    /** @description How long any cache may keep the answer. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `CENTERS_UNAVAILABLE`: Failed to fetch centers
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "CENTERS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Strong, and of its own for each content encoding. */
                    ETag?: string;
                    /** @description How long any cache may keep the answer. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        agents: components["schemas"]["PartnerAgent"][];
                    };
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Strong, and of its own for each content encoding. */
                    ETag?: string;
                    /** @description How long any cache may keep the answer. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    checkout: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userId": 1,
                 *       "type": "FROM_MINA",
                 *       "agentCode": "A01",
                 *       "centerCode": "RUH",
                 *       "noOfPackages": 1,
                 *       "amount": 50
                 *     }
                 */
                "application/json": components["schemas"]["CheckoutRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentStart"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["ForbiddenOriginOrWrongRole"];
            409: components["responses"]["IdempotencyConflictOrOrderNotPayableOrTooManyOpenOrders"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            422: components["responses"]["CheckoutRefused"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CENTERS_UNAVAILABLE`: Failed to fetch centers
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `PAYMENT_UNAVAILABLE`: The payment service is not answering. Your order is kept and nothing was charged; try again in a moment.
             *     - `PAYMENT_UNCHECKED`: We cannot check your last payment yet. Do not pay a second time; your order is kept, and we check again in a moment.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CENTERS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "PAYMENT_UNAVAILABLE" | "PAYMENT_UNCHECKED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    createPaymentOrder: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userId": 1,
                 *       "amount": 50,
                 *       "bookingDetails": {
                 *         "type": "FROM_MINA",
                 *         "agentCode": "A01",
                 *         "centerCode": "RUH",
                 *         "noOfPackages": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PaymentOrderRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentStart"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["ForbiddenOriginOrWrongRole"];
            409: components["responses"]["IdempotencyConflictOrOrderNotPayableOrTooManyOpenOrders"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            422: components["responses"]["CheckoutRefused"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CENTERS_UNAVAILABLE`: Failed to fetch centers
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `PAYMENT_UNAVAILABLE`: The payment service is not answering. Your order is kept and nothing was charged; try again in a moment.
             *     - `PAYMENT_UNCHECKED`: We cannot check your last payment yet. Do not pay a second time; your order is kept, and we check again in a moment.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CENTERS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "PAYMENT_UNAVAILABLE" | "PAYMENT_UNCHECKED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    receiveCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            /** @description - `CALLBACK_REFUSED`: The signature of the callback does not fit. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "CALLBACK_REFUSED";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["ClosingOrOverloadedOrStorageUnavailable"];
        };
    };
    receiveMessageStatus: {
        parameters: {
            query: {
                /** @description Our number of the message and a full stop. The signature covers the address and the fields without a separator: the full stop keeps digits from being moved between them. */
                message: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    [key: string]: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            /** @description - `MESSAGE_CALLBACK_REFUSED`: The signature of the status callback does not fit. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "MESSAGE_CALLBACK_REFUSED";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["ClosingOrOverloadedOrStorageUnavailable"];
        };
    };
    readPush: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @description VAPID key, base64url; null where no push messages are sent. */
                        publicKey: string | null;
                        /** @description The session of this call has a subscription. */
                        isOn: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["WrongRole"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    subscribePush: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "endpoint": "https://fcm.googleapis.com/fcm/send/example",
                 *       "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                 *       "auth": "BTBZMqHH6r4Tts7J_aSIgg"
                 *     }
                 */
                "application/json": {
                    /** @description The address at the browser’s push service; those in use have up to 700 characters. */
                    endpoint: string;
                    /** @description Public key of the browser: an uncompressed point of P-256. */
                    p256dh: string;
                    /** @description Secret of 16 bytes. */
                    auth: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["ForbiddenOriginOrWrongRole"];
            404: components["responses"]["PushNotOffered"];
            /** @description - `PUSH_ENDPOINT_TAKEN`: This subscription is registered with other keys. Turn notifications off in the browser, then on again. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "PUSH_ENDPOINT_TAKEN";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            /** @description - `PUSH_ENDPOINT_REFUSED`: The notification service of this browser is not known to us. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "PUSH_ENDPOINT_REFUSED";
                    };
                };
            };
            429: components["responses"]["TooManyCalls"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    unsubscribePush: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["ForbiddenOriginOrWrongRole"];
            404: components["responses"]["PushNotOffered"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    readOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        order: components["schemas"]["Order"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            404: components["responses"]["OrderNotFound"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    renewPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A positive whole number. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    clientSecret?: string;
                    /** @description The card form takes no payment with this secret any more: issue another. */
                    spent?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentStart"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["ForbiddenOriginOrWrongRole"];
            404: components["responses"]["OrderNotFound"];
            /**
             * @description - `ORDER_NOT_PAYABLE`: This order is not waiting for a payment.
             *     - `PAYMENT_LINK_MISMATCH`: This payment link does not belong to this order.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "ORDER_NOT_PAYABLE" | "PAYMENT_LINK_MISMATCH";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `PAYMENT_UNAVAILABLE`: The payment service is not answering. Your order is kept and nothing was charged; try again in a moment.
             *     - `PAYMENT_UNCHECKED`: We cannot check your last payment yet. Do not pay a second time; your order is kept, and we check again in a moment.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "PAYMENT_UNAVAILABLE" | "PAYMENT_UNCHECKED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                /** @description A positive whole number. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        order: components["schemas"]["Order"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["ForbiddenOriginOrWrongRole"];
            404: components["responses"]["OrderNotFound"];
            /**
             * @description - `ALREADY_HANDED_OVER`: A bag of this order has been handed over, so it cannot be cancelled. Contact us if you need help.
             *     - `CANCELLATION_NOT_OFFERED`: This order cannot be cancelled after it was paid, or the time to cancel it has ended. Contact us if you need help.
             *     - `IDEMPOTENCY_CONFLICT`: Another request was already sent under the same key.
             *     - `ORDER_NOT_CANCELLABLE`: This order has ended: there is nothing to cancel.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "ALREADY_HANDED_OVER" | "CANCELLATION_NOT_OFFERED" | "IDEMPOTENCY_CONFLICT" | "ORDER_NOT_CANCELLABLE";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    listUserOrders: {
        parameters: {
            query?: {
                /** @description From `nextCursor`. */
                cursor?: string;
                /** @description 1 to 100. Default: 20. */
                limit?: string;
            };
            header?: never;
            path: {
                /** @description A positive whole number. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["WrongRole"];
            404: components["responses"]["OrderNotFound"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    listAgentOrders: {
        parameters: {
            query?: {
                /** @description From `nextCursor`. */
                cursor?: string;
                /** @description 1 to 100. Default: 20. */
                limit?: string;
                /** @description Words or numbers: of the order (with or without `OD-`), the airway bill, the phone, the name of the customer or on the airway bill, the city of the branch in Arabic or English. Every word must be found. Arabic is compared without vowel signs and spellings of alef; digits may be Arabic. An order with exactly this number comes first. */
                q?: string;
                /** @description waiting: a bag is to be handed over. received: every bag was. refused: refunded or cancelled, not to be accepted. */
                state?: "waiting" | "received" | "refused";
                /** @description Of the branch, spelled as in the list of branches. */
                city?: string;
                /** @description Default: newest. */
                order?: "newest" | "oldest";
            };
            header?: never;
            path: {
                /** @description A positive whole number. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentOrderPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["WrongRole"];
            404: components["responses"]["OrderNotFound"];
            421: components["responses"]["UnknownHost"];
            429: components["responses"]["TooManyCalls"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    recordHandover: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    awb: string;
                    /** @description When the agent took the bag, by the clock of the device. Default: now. */
                    receivedAt?: string;
                    /** @description When this request was sent, by the same clock: `receivedAt` is corrected by the difference to the clock of the server, and kept between the payment and now. */
                    sentAt?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        order: components["schemas"]["Order"];
                        booking: components["schemas"]["Booking"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["ForbiddenOriginOrWrongRole"];
            404: components["responses"]["OrderNotFound"];
            /**
             * @description - `ALREADY_RECEIVED`: This bag was already received: {{time}}.
             *     - `DO_NOT_ACCEPT`: Do not accept this bag: the order was cancelled or refunded. The bag goes back to its owner.
             *     - `IDEMPOTENCY_CONFLICT`: Another request was already sent under the same key.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "ALREADY_RECEIVED" | "DO_NOT_ACCEPT" | "IDEMPOTENCY_CONFLICT";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            429: components["responses"]["TooManyCalls"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    findForeignBag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                awb: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @enum {boolean} */
                        isOfAnotherAgent: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["WrongRole"];
            404: components["responses"]["OrderNotFound"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    undoHandover: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                awb: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        booking: components["schemas"]["Booking"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["ForbiddenOriginOrWrongRole"];
            404: components["responses"]["OrderNotFound"];
            /** @description - `TOO_LATE`: This can no longer be undone: ten minutes have passed, or the courier has the bag. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "TOO_LATE";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            429: components["responses"]["TooManyCalls"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    readLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                awb: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @description The PDF in base64. */
                        awbFile: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            404: components["responses"]["LabelNotFound"];
            410: components["responses"]["LabelDeletedOrLabelWithdrawn"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `LABEL_NOT_READY`: The label file has not arrived from the shipping partner yet. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "LABEL_NOT_READY" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    readLabelPdf: {
        parameters: {
            query?: {
                download?: string;
            };
            header?: never;
            path: {
                awb: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    /** @description Name of the file, and whether to show or save it. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            404: components["responses"]["LabelNotFound"];
            410: components["responses"]["LabelDeletedOrLabelWithdrawn"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `LABEL_NOT_READY`: The label file has not arrived from the shipping partner yet. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "LABEL_NOT_READY" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    receiveScans: {
        parameters: {
            query?: never;
            header?: {
                /** @description The secret of the account (SHIPPING_WEBHOOK_KEY). */
                "x-webhook-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            /** @description - `TRACKING_CALLBACK_REFUSED`: The key of the callback does not fit. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "TRACKING_CALLBACK_REFUSED";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["ClosingOrOverloadedOrStorageUnavailable"];
        };
    };
    readReceiptPdf: {
        parameters: {
            query?: {
                download?: string;
            };
            header?: never;
            path: {
                /** @description A positive whole number. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    /** @description Name of the file, and whether to show or save it. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["WrongRole"];
            /**
             * @description - `ORDER_NOT_FOUND`: We could not find this order.
             *     - `RECEIPT_NOT_FOUND`: This order has no receipt. A receipt is issued when the order is paid.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "ORDER_NOT_FOUND" | "RECEIPT_NOT_FOUND";
                    };
                };
            };
            421: components["responses"]["UnknownHost"];
            429: components["responses"]["TooManyCalls"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `RECEIPT_NOT_READY`: Your receipt is registered and not written yet. Try again in a moment.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "RECEIPT_NOT_READY" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    readOwnShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A positive whole number. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        createdAt: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["WrongRole"];
            404: components["responses"]["OrderNotFound"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    createShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A positive whole number. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @description Shown once: only its hash is stored. */
                        url: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["ForbiddenOriginOrWrongRole"];
            404: components["responses"]["OrderNotFound"];
            /** @description - `NOTHING_TO_SHARE`: There is no journey to share: a bag’s journey can be shared once the order is paid and not cancelled. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "NOTHING_TO_SHARE";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            429: components["responses"]["TooManyCalls"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    endShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A positive whole number. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotSignedIn"];
            403: components["responses"]["ForbiddenOriginOrWrongRole"];
            404: components["responses"]["OrderNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            /**
             * @description - `AGENTS_UNAVAILABLE`: Failed to fetch agents
             *     - `CLOSING`: The service is restarting. Try again in a moment.
             *     - `OVERLOADED`: The service is very busy right now. Try again in a while.
             *     - `STORAGE_UNAVAILABLE`: We cannot save anything right now. Try again in a while.
             */
            503: {
                headers: {
                    /** @description Seconds to wait, as in `retryAfterSeconds`. Absent where no wait helps. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "AGENTS_UNAVAILABLE" | "CLOSING" | "OVERLOADED" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
    };
    readShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        bookings: {
                            /** @description Null while the order is unpaid or expired. From the newest meaning of the events, whatever order they arrive in. A reader must tolerate others. */
                            state: ("AWAITING_LABEL" | "READY" | "HANDED_OVER" | "IN_TRANSIT" | "AT_BRANCH" | "COLLECTED" | "EXCEPTION" | "CANCELLED") | null;
                            /** @description When the bag was last seen. */
                            lastEventAt: string | null;
                            /** @description Oldest first. */
                            events: {
                                /**
                                 * @description A reader must tolerate others.
                                 * @enum {string}
                                 */
                                kind: "handed-over" | "hand-over-undone" | "picked-up" | "in-transit" | "at-branch" | "collected" | "exception" | "returning" | "cancelled" | "unknown";
                                /** Format: date-time */
                                at: string;
                                /** @enum {string} */
                                source: "agent" | "courier" | "system";
                                /** @description A city. */
                                place?: string;
                            }[];
                            origin: {
                                city?: string;
                            };
                            destination: {
                                city?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            /** @description - `SHARE_NOT_FOUND`: This link does not work: it has ended, or was not copied whole. Ask the bag’s owner for a new one. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "SHARE_NOT_FOUND";
                    };
                };
            };
            421: components["responses"]["UnknownHost"];
            429: components["responses"]["TooManyCalls"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["ClosingOrOverloadedOrStorageUnavailable"];
        };
    };
    sendReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/csp-report": unknown;
                "application/reports+json": unknown;
            };
        };
        responses: {
            /** @description Received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readDemoOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        order: components["schemas"]["DemoOrder"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["DemoKeyRefused"];
            404: components["responses"]["OrderNotFound"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["ClosingOrOverloadedOrStorageUnavailable"];
        };
    };
    resetDemo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** Format: date-time */
                        now: string;
                        /** @description How far ahead of real time. */
                        aheadMs: number;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["DemoKeyRefused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["ClosingOrOverloadedOrStorageUnavailable"];
        };
    };
    saveDemoSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        name: string;
                        /** Format: date-time */
                        now: string;
                        /** @description How far ahead of real time. */
                        aheadMs: number;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["DemoKeyRefused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["ClosingOrOverloadedOrStorageUnavailable"];
        };
    };
    restoreDemoSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        name: string;
                        /** Format: date-time */
                        now: string;
                        /** @description How far ahead of real time. */
                        aheadMs: number;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["DemoKeyRefused"];
            /** @description - `SNAPSHOT_NOT_FOUND`: There is no snapshot of this name. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "SNAPSHOT_NOT_FOUND";
                    };
                };
            };
            /** @description - `SNAPSHOT_UNUSABLE`: This snapshot was taken of another kind of database or by another build, and cannot be restored. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"] & {
                        /** @enum {string} */
                        code: "SNAPSHOT_UNUSABLE";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["ClosingOrOverloadedOrStorageUnavailable"];
        };
    };
    moveDemoClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Added to the time. */
                    advanceMs?: number;
                    /** @description How far ahead of real time the clock is from now on. */
                    aheadMs?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** Format: date-time */
                        now: string;
                        /** @description How far ahead of real time. */
                        aheadMs: number;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["DemoKeyRefused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["UnknownHost"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["ClosingOrOverloadedOrStorageUnavailable"];
        };
    };
}
